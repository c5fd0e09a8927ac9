# frozen_string_literal: true

require "optparse"

module Fuzz
  # What is needed is not on this machine. The message says how to get it.
  Unfit = Class.new(StandardError)

  # The command line of a differential fuzzer: a seed, numbers of cases, and an exit
  # status: 0 without a difference, 1 with one, which is printed, 2 where it was not
  # called right or cannot run here.
  #
  #   command = Fuzz::Command.new(cases: 1000) do |parser|
  #     parser.on("--folder DIR", "on another file system")
  #   end
  #   command.run { |numbers| ZebraFuzz::Campaign.new(seed: command.options[:seed]).run(numbers) }
  class Command
    SHARED = { "only-case": ["--only-case K", Integer, "run one case"], control: ["--control", "stock against stock"] }.freeze

    # @return [Hash{Symbol => Object}] by the long names of the options
    attr_reader :options

    # Ends the process where the arguments are none of ours.
    #
    # @param cases [Integer] how many, unless told otherwise
    # @param of [String] what that is the number of
    # @param without [Array<Symbol>] of SHARED, what this fuzzer cannot do
    # @yieldparam parser [OptionParser] for more; what an option's block answers is its value
    def initialize(cases:, of: "cases", without: [], &more)
      @options = { cases: cases, seed: Random.new_seed % 1_000_000_000 }
      parser = parser(of, SHARED.except(*without), &more)
      rest = parser.parse(ARGV, into: @options)
      raise OptionParser::NeedlessArgument, rest.first if rest.any?
    rescue OptionParser::ParseError => error
      warn error.message, parser.help
      exit 2
    end

    # @return [Enumerable<Integer>] of the cases
    def numbers = @options[:"only-case"] ? [@options[:"only-case"]] : 0...@options[:cases]

    # Runs it as the rest of this process.
    #
    # @yieldparam numbers [Enumerable<Integer>]
    # @yieldreturn [String, Boolean, nil] what differs; true: that was said already
    def run
      puts "seed #{@options[:seed]}"
      difference = yield(numbers)
      puts difference if difference.is_a?(String)
      exit(difference ? 1 : 0)
    rescue Unfit => error
      warn error.message
      exit 2
    end

    # As {run}, on one version of upstream after the other.
    #
    # @param versions [Array<String>]
    # @param at_once [Integer] cases of one campaign
    # @param missing [String] where there is no version
    # @yieldparam version [String]
    # @yieldparam numbers [Array<Integer>]
    # @yieldreturn [String, nil] what differs
    def run_on(versions, at_once:, missing:)
      run do |numbers|
        raise Unfit, missing if versions.empty?

        versions.lazy.filter_map { |version|
          difference = numbers.each_slice(at_once).lazy.filter_map { |some| yield(version, some) }.first
          puts "#{version}: #{numbers.size} cases, no difference" unless difference
          difference
        }.first
      end
    end

    private

    def parser(counted, shared)
      OptionParser.new do |parser|
        parser.banner = "Usage: ruby test/fuzz/#{File.basename($PROGRAM_NAME)} [options]"
        parser.on("--cases N", Integer, "how many #{counted} (#{@options[:cases]})")
        parser.on("--seed S", Integer, "the random seed (fresh, printed)")
        shared.each_value { |definition| parser.on(*definition) }
        yield parser if block_given?
      end
    end
  end
end
