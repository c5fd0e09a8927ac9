# frozen_string_literal: true

module Frugal
  module CLI
    class Definition
      # The text of `--help`, in lines of at most 79 columns.
      class Help
        COLUMNS = 79
        WIDEST_TERM = 22 # columns; the text of a longer term begins below it
        private_constant :COLUMNS, :WIDEST_TERM

        # @param definition [Definition]
        def initialize(definition)
          @definition = definition
        end

        # @return [String]
        def to_s
          blocks = [usage, *filled(@definition.description), examples, *sections, *filled(@definition.notes),
                    listed("environment", @definition.environment), listed("exit status", @definition.exit_status),
                    "next: #{@definition.next_step}"]
          blocks.compact.map { |block| "#{block}\n" }.join("\n")
        end

        private

        def usage
          lines = @definition.usages.map { |operands| "frugal #{@definition.name} #{operands}".rstrip }
          "usage: #{lines.join("\n       ")}"
        end

        def filled(paragraphs) = paragraphs.map { |paragraph| fill(paragraph, COLUMNS).join("\n") }

        def examples
          width = @definition.examples.map { |command, _| command.size }.max
          @definition.examples.map { |command, text| "  #{command.ljust(width)}  #{text}".rstrip }.join("\n")
        end

        def sections
          @definition.sections.map do |section|
            aligned = section.options.any? { |option| option.flags.size > 1 }
            entries = section.options.flat_map(&:entries)
            listed(section.title, entries.to_h { |flags, argument, text| [term(flags, argument, aligned), text] })
          end
        end

        # The long flags of a section begin in one column.
        def term(flags, argument, aligned)
          indent = "    " if aligned && flags.one? && flags.first.start_with?("--")
          "#{indent}#{flags.join(", ")}#{argument}"
        end

        # @param entries [Hash{String => String}]
        def listed(title, entries)
          return if entries.empty?

          width = entries.keys.map(&:size).select { |size| size <= WIDEST_TERM }.max || 0
          ["#{title}:", *entries.flat_map { |term, text| entry(term, text, width) }].join("\n")
        end

        def entry(term, text, width)
          first, *rest = fill(text, COLUMNS - width - 4)
          lines = term.size > width ? ["  #{term}", indent(first, width)] : ["  #{term.ljust(width)}  #{first}"]
          lines + rest.map { |line| indent(line, width) }
        end

        def indent(line, width) = "#{" " * (width + 4)}#{line}"

        # @return [Array<String>] lines of at most this many columns
        def fill(text, columns)
          text.split.each_with_object([+""]) do |word, lines|
            lines << +"" unless lines.last.empty? || lines.last.size + 1 + word.size <= columns
            lines.last << " " unless lines.last.empty?
            lines.last << word
          end
        end
      end
    end
  end
end
