# frozen_string_literal: true

module Frugal
  module CLI
    class Definition
      # One option of a command.
      #
      #   Option.new("-n", "--pairs N", OptionParser::DecimalInteger, "number of timed pairs")
      class Option
        # The completions of shells that follow from the name of an argument.
        KINDS = { "FILE" => :file, "LIB" => :file, "DIR" => :directory }.freeze
        private_constant :KINDS

        # @return [String] for people
        attr_reader :text
        # @return [Array] for OptionParser#on
        attr_reader :specification

        # @param specification [Array] flags, an optional type, and the text for people
        # @param values [Array<String>, Hash{String => String}, #call, nil] the values that shells complete; a Hash maps
        #   each value to a text
        # @param list [Boolean] whether the argument is a list of such values, separated by commas
        # @param repeat [Boolean] whether the option may be given several times
        def initialize(*specification, text, values: nil, list: false, repeat: false)
          @specification = specification
          @text = text
          @values = values || specification.grep(::Array).first
          @list = list
          @repeat = repeat
        end

        def list? = @list

        def repeat? = @repeat

        # @return [Symbol] the name in the options that a command gets
        def key = long.delete_prefix("--").delete_prefix("no-").tr("-", "_").to_sym

        # @return [Array<String>] such as ["-n", "--pairs"]; of --[no-]sort only --no-sort, as --sort is the default
        def flags = flag_words.map { |words| words[/\A[^ =]+/].sub("[no-]", "no-") }

        # @return [String]
        def long = flags.last

        # @return [String, nil] the name of its argument, such as "FILE"
        def argument = flag_words.last[/[ =](.+)/, 1]

        # @return [Array<String>, Symbol, nil] the values that shells complete, +:file+ or +:directory+
        def completes
          case @values
          when nil then KINDS[argument]
          when ::Hash then @values.keys
          when ::Proc then @values.call
          else @values
          end
        end

        # @return [Array<Array(Array<String>, String, String)>] flags, argument and text of each line of the help
        def entries
          return [[flags, argument && " #{argument}", text]] unless @values.is_a?(::Hash)

          @values.map { |value, text| [flags, "=#{value}", text] }
        end

        private

        def flag_words = @specification.grep(String)
      end
    end
  end
end
