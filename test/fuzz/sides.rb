# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "folder"

module Fuzz
  # Many cases on one version of upstream, in a stock process and in one with the
  # drop-in. Each prints a line for each case: its number and its calls, separated by tabs.
  class Sides
    OPTIONS = %w[-W0 --disable-did_you_mean --disable-error_highlight].freeze

    # @param upstream [String] its version
    # @param control [Boolean] compare stock to stock
    # @param mutant [String, nil] a file that breaks the drop-in
    def initialize(upstream, seed:, control: false, mutant: nil)
      @upstream = upstream
      @seed = seed
      @control = control
      @mutant = mutant
    end

    # @param numbers [Enumerable<Integer>] of the cases
    # @return [String, nil] the first difference
    def run(numbers)
      sides = ["stock", @control ? "stock" : "ours"].map { |side| Thread.new { lines(side, numbers) } }
      stock, ours = sides.map(&:value)
      stock.zip(ours).each do |one, other|
        return report(one, other.to_s) unless one == other
      end
      stock.size == numbers.size ? nil : "#{@upstream}: #{stock.size} cases of #{numbers.size} ran"
    end

    private

    # @return [Array<String>] the arguments of Ruby: the script, and what it needs
    def arguments(side, numbers, home)
      raise NotImplementedError, "#{self.class}#arguments(#{side}, #{numbers}, #{home})"
    end

    def lines(side, numbers)
      Fuzz.folder("fuzz-") do |home|
        command = [RbConfig.ruby, *OPTIONS, *arguments(side, numbers, home), *(@mutant if side == "ours")]
        out, status = Open3.capture2e({ "RUBYOPT" => nil, "TZ" => "UTC" }, *command)
        raise "#{side}, #{@upstream}: #{status}\n#{out[-2000..] || out}" unless status.success?

        out.force_encoding("UTF-8").lines(chomp: true)
      end
    end

    # The first call that differs, and the call before it.
    def report(stock, ours)
      number, *stock = stock.split("\t")
      _, *ours = ours.split("\t")
      at = stock.zip(ours).index { |one, other| one != other } || stock.size
      ["case #{number} of seed #{@seed} differs with #{@upstream}, call #{at}",
       *(["before #{stock[at - 1]}"] if at.positive?), "stock  #{stock[at]}", "ours   #{ours[at]}"].join("\n")
    end
  end
end
