# frozen_string_literal: true

require_relative "../definition"
require_relative "../paint"
require_relative "../../profile/verification"

module Frugal
  module CLI
    module Profile
      # What the arguments of `frugal profile` ask for.
      class Plan
        KINDS = %w[route file process].freeze
        # The least value of each number.
        LEAST = { top: 0, depth: 1, limit: 1 }.freeze
        private_constant :KINDS, :LEAST

        # @return [Array<String>] the command, or the two reports of `--diff`
        attr_reader :operands
        # @return [Frugal::Profile::Verification, nil] nil without `--verify`
        attr_reader :verification

        # @param argv [Array<String>]
        # @raise [UsageError, OptionParser::ParseError]
        def initialize(argv)
          numbers = LEAST.to_h { |name, least| [name, ->(number) { at_least(least, number) }] }
          @options, @operands = Definition["profile"].parse(argv, by: method(:kind), **numbers)
          diff? ? check_diff : check
          return unless @options[:verify]

          @verification = Frugal::Profile::Verification.new(operands, **@options.slice(:only, :except))
        end

        # @return [Boolean]
        def diff? = @options.key?(:diff)

        # @return [Boolean]
        def quiet? = @options.key?(:quiet)

        # @return [Symbol, nil] :route, :file or :process
        def by = @options[:by]

        # @return [Hash{Symbol => String}] the files of reports
        def reports = @options.slice(*FORMATS.keys)

        # @return [Hash] options of {Frugal::Profile::Run}
        def recording
          { depth: @options[:depth], limit_mib: @options[:limit], agent: by == :route ? :route : :task }.compact
        end

        # @return [Hash] options of {Frugal::Profile::Report::Terminal}
        def terminal = { width: Paint.width($stderr), limit: @options[:top] }.compact

        private

        def at_least(least, number)
          raise Arguments::InvalidArgument, "#{number}: at least #{least}" if number < least

          number
        end

        def kind(word)
          raise UsageError, "--by: must be route, file or process (got #{word})" unless KINDS.include?(word)

          word.to_sym
        end

        def check_diff
          other = @options.except(:diff).keys.first
          raise UsageError, "--diff compares two reports, so it cannot be combined with #{flag(other)}" if other
          return if operands.size == 2

          raise UsageError, "--diff takes two JSON reports (got #{operands.size} names)"
        end

        def check
          raise UsageError, "no command to profile" if operands.empty?

          of_verify = (@options.keys & %i[only except]).first
          raise UsageError, "#{flag(of_verify)} belongs to --verify" if of_verify && !@options[:verify]

          report = (@options.keys & %i[verify top by]).first
          raise UsageError, "--quiet and #{flag(report)} cannot be combined" if report && quiet?
        end

        def flag(name) = "--#{name}"
      end
    end
  end
end
