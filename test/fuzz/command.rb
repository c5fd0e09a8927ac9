# frozen_string_literal: true

require "optparse"

module Fuzz
  # Something that the fuzzer needs is not installed. The message says how to install it.
  class Unfit < StandardError
  end

  # The command line of a differential fuzzer: a seed, the numbers of cases, and an exit
  # status: 0 for no difference, 1 for a difference, which is printed, 2 for wrong usage
  # or for a fuzzer that cannot run here.
  #
  #   command = Fuzz::Command.new(cases: 1000) do |parser|
  #     parser.on("--folder DIR", "on another file system")
  #   end
  #   command.run { |numbers| ZebraFuzz::Campaign.new(seed: command.options[:seed]).run(numbers) }
  class Command
    SHARED = { "only-case": ["--only-case K", Integer, "run only this case"],
               "control": ["--control", "compare stock to stock"] }.freeze

    # @return [Hash{Symbol => Object}] values by the long names of the options
    attr_reader :options

    # Ends the process with status 2 for an unknown argument.
    #
    # @param cases [Integer] the default number of cases
    # @param of [String] what is counted, in the help text
    # @param without [Array<Symbol>] options of SHARED that this fuzzer does not have
    # @yieldparam parser [OptionParser] for more options; the result of an option's block is its value
    def initialize(cases:, of: "cases", without: [], &more)
      @options = { cases: cases, seed: Random.new_seed % 1_000_000_000 }
      parser = parser(of, SHARED.except(*without), &more)
      rest = parser.parse(ARGV, into: @options)
      raise OptionParser::NeedlessArgument, rest.first if rest.any?
    rescue OptionParser::ParseError => e
      warn e.message, parser.help
      exit 2
    end

    # @return [Enumerable<Integer>] of the cases
    def numbers = @options[:"only-case"] ? [@options[:"only-case"]] : 0...@options[:cases]

    # Runs the fuzzer and ends the process.
    #
    # @yieldparam numbers [Enumerable<Integer>]
    # @yieldreturn [String, Boolean, nil] the difference; true where the block has printed it
    def run
      puts "seed #{@options[:seed]}"
      difference = yield(numbers)
      puts difference if difference.is_a?(String)
      exit(difference ? 1 : 0)
    rescue Unfit => e
      warn e.message
      exit 2
    end

    # Like {run}, for one version of upstream after the other.
    #
    # @param versions [Array<String>]
    # @param at_once [Integer] cases of one campaign
    # @param missing [String] the message where no version is installed
    # @yieldparam version [String]
    # @yieldparam numbers [Array<Integer>]
    # @yieldreturn [String, nil] the difference
    def run_on(versions, at_once:, missing:)
      run do |numbers|
        raise Unfit, missing if versions.empty?

        versions.lazy.filter_map do |version|
          difference = numbers.each_slice(at_once).lazy.filter_map { |some| yield(version, some) }.first
          puts "#{version}: #{numbers.size} cases, no difference" unless difference
          difference
        end.first
      end
    end

    private

    def parser(counted, shared)
      OptionParser.new do |parser|
        parser.banner = "Usage: ruby test/fuzz/#{File.basename($PROGRAM_NAME)} [options]"
        parser.on("--cases N", Integer, "number of #{counted} (#{@options[:cases]})")
        parser.on("--seed S", Integer, "the random seed (default: a new one, printed)")
        shared.each_value { |definition| parser.on(*definition) }
        yield parser if block_given?
      end
    end
  end
end
