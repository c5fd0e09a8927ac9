# frozen_string_literal: true

require_relative "values"

module PStoreFuzz
  # A random program on one store: a format, a file to begin with, options, and steps. It
  # depends on its seed alone, so that both processes make the same one.
  #
  # It avoids what makes stock lose data, hang or differ between its versions: the
  # drop-in is better there, and test/dropin/pstore_*_test.rb test how.
  class Draft
    FILES = %i[none empty table table table table truncated corrupt foreign other trailing directory unreadable
               read_only link dangling hard_link].freeze
    OPERATIONS = %i[get get get get fetch fetch_default set set set delete key roots change change share same again
                    each_changed thread_reads].freeze
    ENDS = %i[abort commit raise throw break return nested thread procs nothing nothing nothing nothing].freeze

    attr_reader :format, :file, :options, :steps, :values

    # @param version [String] of PStore
    def initialize(seed, version)
      @random = Random.new(seed)
      @old = Gem::Version.new(version) < Gem::Version.new("0.3")
      @format = pick(%i[marshal marshal marshal yaml json_like])
      @values = Values.new(@random, plain: @format != :marshal)
      @file = pick(FILES)
      @options = random_options
      @steps = Array.new(1 + @random.rand(7)) { step }
    end

    # Not with links, which stock's ultra_safe replaces.
    def ultra? = options[:ultra] && !%i[link dangling hard_link].include?(file)

    # Until 0.2, stock reads a truncated file as an empty one.
    def read_only_reads? = !(@old && %i[truncated corrupt].include?(file))

    # Until 0.2, stock's ultra_safe resets the mode.
    def mode_matters? = !(@old && ultra?)

    private

    def pick(list) = list[@random.rand(list.size)]

    def random_options
      { ultra: @random.rand(4).zero?, thread_safe: pick([nil, nil, true]), keyword: @random.rand(6).zero?,
        no_follow: !@old && @random.rand(8).zero?, indentation: pick([nil, 3]) }
    end

    def step
      case @random.rand(24)
      when 0 then [:rewrite, values.value]
      when 1 then [:unlink]
      when 2 then [:touch]
      when 3 then [:chmod, pick([0o600, 0o400, 0o000, 0o640])]
      when 4 then [:outside]
      when 5 then [:replace, values.value]
      when 6 then [:no_block]
      when 7, 8, 9 then [:reopen, pick(%w[the.store the.store ./the.store alias])]
      else
        [:transaction, @random.rand(5) < 2 && read_only_reads?, Array.new(@random.rand(6)) { operation }, pick(ENDS)]
      end
    end

    def operation
      name = pick(OPERATIONS)
      [name, values.key, name == :share || name == :same ? values.key : values.value, @random.rand(1 << 30)]
    end
  end
end
