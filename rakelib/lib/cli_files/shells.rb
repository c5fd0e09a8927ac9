# frozen_string_literal: true

require "erb"

module Frugal
  module CLIFiles
    # A script of completions: a template in `templates/`, filled with the definitions of the commands.
    # It needs neither frugal itself nor, for bash, the package bash-completion.
    class Shell
      # @param definitions [Array<CLI::Definition>]
      def initialize(definitions)
        @benchmarks, @commands = definitions.partition { |definition| definition.name.include?(" ") }
      end

      # @return [String]
      def to_s
        template = File.read(File.join(__dir__, "templates", self.class::TEMPLATE))
        ERB.new(template, trim_mode: "-").result(binding)
      end

      private

      def definitions = @commands + @benchmarks

      # @return [Hash{String => String}] all commands, with a text for each
      def summaries = @commands.to_h { |definition| [definition.name, definition.summary] }.merge(CLI::BUILT_IN)

      # @return [String] the beginning of an option's text, which is enough for one line of a menu
      def brief(option) = option.text[/\A.*?(?=[;:]\s|\.\s| \(|\z)/]

      def quote(text) = "'#{text.gsub("'") { "'\\''" }}'"

      def benchmark_name(definition) = definition.name.delete_prefix("bench ")
    end

    # bash 3.2 and later.
    class Bash < Shell
      TEMPLATE = "frugal.bash.erb"

      private

      def flags(definition) = [*definition.options.flat_map(&:flags), "--help"].join(" ")

      def options_with_values(definition) = definition.options.select(&:argument)

      # @param kind [Array<String>, Symbol, nil]
      def kind(kind, list: false)
        return "kind=#{kind || "nothing"}" unless kind.is_a?(Array)

        "kind=#{list ? "list" : "words"} words=#{quote(kind.join(" "))}"
      end
    end

    # zsh 5 and later.
    class Zsh < Shell
      TEMPLATE = "_frugal.erb"

      private

      # @return [Array<String>] arguments of _arguments
      def specifications(definition)
        help = "'(- *)'{-h,--help}'[show the help of this command]'"
        [help, *definition.options.map { |option| specification(option) }, *operands(definition)]
      end

      def specification(option)
        text = "[#{brief(option).gsub(/[\[\]]/) { |bracket| "\\#{bracket}" }}]#{value(option)}"
        flags = option.flags.map { |flag| flag + equals(option, flag) }
        return quote("#{"*" if option.repeat?}#{flags.first}#{text}") if flags.one?

        others = option.repeat? ? "\\*" : quote("(#{option.flags.join(" ")})")
        "#{others}{#{flags.join(",")}}#{quote(text)}"
      end

      def equals(option, flag)
        return "" unless option.argument

        flag.start_with?("--") ? "=" : "+"
      end

      def value(option)
        return "" unless option.argument

        list = "_values -s , #{option.argument} #{option.completes.join(" ")}" if option.list?
        ":#{option.argument}:#{list || action(option.completes)}"
      end

      def action(kind)
        case kind
        when Array then "(#{kind.join(" ")})"
        when :file then "_files"
        when :directory then "_path_files -/" # which, unlike _files, never completes files
        else " "
        end
      end

      def operands(definition)
        return ["'(-):command:_command_names -e'", "'*::arguments:_normal'"] if definition.runs_a_command?

        definition.operands.each_with_index.map do |kind, i|
          quote("#{kind.is_a?(Array) ? i + 1 : "*"}:#{kind.is_a?(Array) ? "name" : kind}:#{action(kind)}")
        end
      end
    end

    # fish 3.4 and later.
    class Fish < Shell
      TEMPLATE = "frugal.fish.erb"

      private

      # In fish, a backslash quotes a single quote and itself.
      def quote(text) = "'#{text.gsub(/['\\]/) { |char| "\\#{char}" }}'"

      def condition(definition) = quote("__frugal_in #{definition.name}")

      def option(option)
        flags = option.flags.map { |flag| flag.start_with?("--") ? "-l #{flag[2..]}" : "-s #{flag[1..]}" }
        [*flags, value(option), "-d #{quote(brief(option))}"].compact.join(" ")
      end

      def value(option)
        return unless option.argument

        list = option.completes
        return list == :file ? "-r -F" : "-x#{directories if list == :directory}" unless list.is_a?(Array)

        "-x -a #{option.list? ? quote("(__fish_append , #{list.join(" ")})") : quote(list.join(" "))}"
      end

      # @return [Array<String>] conditions and arguments of complete
      def operands(definition)
        definition.operands.each_with_index.map do |kind, i|
          case kind
          when Array then "-n #{quote("__frugal_at #{i + 2} #{definition.name}")} -a #{quote(kind.join(" "))}"
          when :directory then "-n #{condition(definition)}#{directories}"
          when :file
            "-n #{quote("not __frugal_at #{i + 1} #{definition.name}; and __frugal_in #{definition.name}")} -F"
          end
        end.compact
      end

      def directories = " -a '(__fish_complete_directories (commandline -ct))'"

      # @return [String] the options of `run` and `compare` whose value is the next word
      def options_before_a_value
        @commands.select(&:runs_a_command?).flat_map(&:options).select(&:argument).flat_map(&:flags).uniq.join(" ")
      end

      def commands_that_run = @commands.select(&:runs_a_command?).map(&:name).join(" ")
    end
  end
end
