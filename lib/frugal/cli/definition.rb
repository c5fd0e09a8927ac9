# frozen_string_literal: true

module Frugal
  module CLI
    # The description of one command: `--help`, the man page, the completions of the shells and the
    # parser of its arguments are made from it. The definitions are in `definitions/`, one file per command.
    #
    #   Definition["walk"].summary                    # => "list everything below a directory …"
    #   Definition["walk"].parse(%w[--hidden src])    # => [{ hidden: true }, ["src"]]
    class Definition
      autoload :Builder, "#{__dir__}/definition/builder"
      autoload :Help, "#{__dir__}/definition/help"
      autoload :Option, "#{__dir__}/definition/option"
      autoload :Parser, "#{__dir__}/definition/parser"

      # Options below one title, such as "options".
      Section = Struct.new(:title, :options)

      @all = {}

      class << self
        # @param name [String] of a command, such as "walk", or of a benchmark that is defined, such as "bench rake"
        # @return [Definition]
        def [](name)
          require_relative "definitions/#{name}" unless @all.key?(name)
          @all.fetch(name)
        end

        # @param name [String] without "frugal", such as "walk" or "bench rake"
        # @yield in a {Builder}
        # @return [Definition]
        def define(name, &block)
          @all[name] = new(Builder.new(name).tap { |builder| builder.instance_eval(&block) }.attributes)
        end
      end

      # @param attributes [Hash{Symbol => Object}] the attributes of {Builder}
      def initialize(attributes)
        @attributes = attributes.freeze
      end

      # @return [String] without "frugal"
      def name = @attributes[:name]

      # @return [String] one line, without a full stop
      def summary = @attributes[:summary]

      # @return [Array<String>] command lines without "frugal NAME"
      def usages = @attributes[:usages]

      # @return [Array<String>] paragraphs
      def description = @attributes[:description]

      # @return [Array<Array(String, String)>] command lines and their effects
      def examples = @attributes[:examples]

      # @return [Array<Section>]
      def sections = @attributes[:sections]

      # @return [Array<Option>] the options of all sections
      def options = sections.flat_map(&:options)

      # @return [Array<String>] paragraphs below the options
      def notes = @attributes[:notes]

      # @return [Hash{String => String}] variable, or assignment → its effect
      def environment = @attributes[:environment]

      # @return [Hash{String => String}] number → its meaning
      def exit_status = @attributes[:exit_status]

      # @return [Array<Array<String>, Symbol>] for each operand, the completions of shells: a list of words, +:file+,
      #   +:directory+, or +:command+ for a command line. The last entry also applies to all further operands
      def operands = @attributes[:operands]

      # @return [String] the last line of the help
      def next_step = @attributes[:next_step]

      # @return [Boolean] whether the first operand begins a command line that has its own options
      def runs_a_command? = operands.first == :command

      # @return [String] the text of `--help`
      def help = Help.new(self).to_s

      # @param argv [Array<String>]
      # @param converters [Hash{Symbol => #call}] by name of an option: checks or converts its value
      # @return [Array(Hash{Symbol => Object}, Array<String>)] options and operands
      # @raise [OptionParser::ParseError] for an unknown option or an invalid value
      # @throw [:help] the definition, for `--help`
      def parse(argv, **converters) = Parser.new(self, converters).parse(argv)
    end
  end
end
