# frozen_string_literal: true

require_relative "../definition"
require_relative "../observed"
require_relative "../paint"
require_relative "../../compare/answering"
require_relative "../../compare/verification"

module Frugal
  module CLI
    module Profile
      # The parsed arguments of `frugal profile`.
      class Plan
        KINDS = %w[route example file process].freeze
        RSPEC = %w[rspec parallel_rspec turbo_tests].freeze # programs whose examples are grouped without an option
        # The minimum of each number.
        LEAST = { top: 0, depth: 1, limit: 1, fail_over: 0 }.freeze
        private_constant :KINDS, :RSPEC, :LEAST

        # @return [Array<String>] the command, or the two reports of `--diff`
        attr_reader :operands
        # @return [Frugal::Compare::Verification, nil] nil without `--verify`
        attr_reader :verification

        # @param argv [Array<String>]
        # @raise [UsageError, OptionParser::ParseError]
        def initialize(argv)
          numbers = LEAST.to_h { |name, least| [name, ->(number) { at_least(least, number) }] }
          words = { by: method(:kind), recorder: Observed.method(:recorder) }
          @options, @operands = Definition["profile"].parse(argv, **words, **numbers)
          diff? ? check_diff : check
          return unless @options[:verify]

          @verification = Frugal::Compare::Verification.new(operands, **@options.slice(:only, :except))
        end

        # @return [Boolean]
        def diff? = @options.key?(:diff)

        # @return [Boolean]
        def markdown? = @options.key?(:markdown)

        # @return [Array<String>] places whose findings are accepted
        def ignored = @options.fetch(:ignore, [])

        # @return [Integer, nil] how many superfluous calls and exceptions there may be
        def most = @options[:fail_over]

        # @return [Boolean]
        def quiet? = @options.key?(:quiet)

        # @return [Symbol, nil] :route, :example, :file or :process
        def by = @options[:by] || (:example if rspec?)

        # @return [Boolean] whether the option `--by` was given
        def by? = @options.key?(:by)

        # @return [Hash{Symbol => String}] the files of reports
        def reports = @options.slice(*FORMATS.keys)

        # @return [Hash] options of {Frugal::Profile::Run}
        def recording
          agent = %i[route example].include?(by) ? by : :task
          { depth: @options[:depth], limit_mib: @options[:limit], agent: agent, recorder: @options[:recorder] }.compact
        end

        # @return [Hash] options of {Frugal::Profile::Report::Terminal}
        def terminal = { width: Paint.width($stderr), limit: @options[:top], all: @options[:all] }.compact

        private

        # Reports whether the command runs RSpec, as `rspec`, `bundle exec rspec spec/models` and `ruby -S bin/rspec`
        # do.
        def rspec? = operands.any? { |word| RSPEC.include?(File.basename(word)) }

        def at_least(least, number)
          raise Arguments::InvalidArgument, "#{number}: at least #{least}" if number < least

          number
        end

        def kind(word)
          raise UsageError, "--by: must be route, example, file or process (got #{word})" unless KINDS.include?(word)

          word.to_sym
        end

        def check_diff
          other = @options.except(:diff, :markdown).keys.first
          raise UsageError, "--diff compares two reports, so it cannot be combined with #{flag(other)}" if other
          return if operands.size == 2

          raise UsageError, "--diff takes two JSON reports (got #{operands.size} names)"
        end

        def check
          raise UsageError, "no command to profile" if operands.empty?
          raise UsageError, "--markdown belongs to --diff" if @options[:markdown]

          of_verify = (@options.keys & %i[only except]).first
          raise UsageError, "#{flag(of_verify)} belongs to --verify" if of_verify && !@options[:verify]

          report = (@options.keys & %i[verify top all by]).first
          raise UsageError, "--quiet and #{flag(report)} cannot be combined" if report && quiet?
        end

        def flag(name) = "--#{name.to_s.tr("_", "-")}"
      end
    end
  end
end
