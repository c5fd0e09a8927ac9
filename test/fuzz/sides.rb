# frozen_string_literal: true

require "open3"
require "rbconfig"
require "tmpdir"

module Fuzz
  # Many cases on one version of upstream: a stock process and one with the drop-in,
  # each of which prints a line for each case, with a tab before each of its calls.
  class Sides
    # @param upstream [String] its version
    # @param control [Boolean] stock against stock
    # @param plant [String, nil] a file that breaks the drop-in
    def initialize(upstream, seed:, control: false, plant: nil)
      @upstream = upstream
      @seed = seed
      @control = control
      @plant = plant
    end

    # @param numbers [Enumerable<Integer>] of the cases
    # @return [String, nil] the first difference
    def run(numbers)
      stock, ours = ["stock", @control ? "stock" : "ours"].map { |side| Thread.new { lines(side, numbers) } }.map(&:value)
      stock.zip(ours).each do |one, other|
        return told(one, other.to_s) unless one == other
      end
      stock.size == numbers.size ? nil : "#{@upstream}: #{stock.size} cases of #{numbers.size} ran"
    end

    private

    # @return [Array<String>] what Ruby is told: the script, and all that it needs to know
    def arguments(side, numbers, home) = raise(NotImplementedError, "#{self.class}#arguments(#{side}, #{numbers}, #{home})")

    def lines(side, numbers)
      Dir.mktmpdir("fuzz-") do |home|
        command = [RbConfig.ruby, "-W0", "--disable-did_you_mean", "--disable-error_highlight", *arguments(side, numbers, home), *(@plant if side == "ours")]
        out, status = Open3.capture2e({ "RUBYOPT" => nil, "TZ" => "UTC" }, *command)
        raise "#{side}, #{@upstream}: #{status}\n#{out[-2000..] || out}" unless status.success?

        out.force_encoding("UTF-8").lines(chomp: true)
      end
    end

    def told(stock, ours)
      number, *stock = stock.split("\t")
      _, *ours = ours.split("\t")
      at = stock.zip(ours).index { |one, other| one != other } || stock.size
      ["case #{number} of seed #{@seed} differs with #{@upstream}, call #{at}", *(["before #{stock[at - 1]}"] if at.positive?), "stock  #{stock[at]}", "ours   #{ours[at]}"].join("\n")
    end
  end
end
