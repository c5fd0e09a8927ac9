# frozen_string_literal: true

require_relative "../arguments"

module Frugal
  module CLI
    class Definition
      # Parses the arguments of a command with an OptionParser that is made from its definition.
      class Parser
        # @param definition [Definition]
        # @param converters [Hash{Symbol => #call}]
        def initialize(definition, converters)
          @definition = definition
          @converters = converters
          @options = {}
        end

        # @param argv [Array<String>]
        # @return [Array(Hash{Symbol => Object}, Array<String>)] options and operands
        def parse(argv)
          operands = @definition.runs_a_command? ? parser.order(argv) : parser.parse(argv)
          [@options, operands]
        end

        private

        def parser
          Arguments.new do |parser|
            @definition.options.each { |option| parser.on(*option.specification) { |value| store(option, value) } }
            parser.on("-h", "--help") { throw :help, @definition }
          end
        end

        # OptionParser takes any word as the value of an option, also the `--` before the command and the next option.
        def check_value(option, value)
          return if option.argument.nil?

          word = Array(value).join(",")
          flags = @definition.options.flat_map(&:flags)
          raise Arguments::MissingArgument if ["--", *flags].include?(word)
        end

        def store(option, value)
          check_value(option, value)
          value = @converters[option.key].call(value) if @converters.key?(option.key)
          if option.repeat?
            (@options[option.key] ||= []).push(*value)
          else
            @options[option.key] = value
          end
        end
      end
    end
  end
end
