# frozen_string_literal: true

require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../../support/caches"

module CacheFuzz
  # Many cases on one version of upstream: a stock process and one with the drop-in.
  class Campaign
    SIDE = File.expand_path("side.rb", __dir__)

    # @param upstream [String] one of {Caches.all}
    # @param control [Boolean] stock against stock
    # @param plant [String, nil] a file that breaks the drop-in
    def initialize(upstream, seed:, control: false, plant: nil)
      @upstream = upstream
      @kind = upstream.start_with?("sprockets") ? "sprockets" : "active_support"
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

    def lines(side, numbers)
      Dir.mktmpdir("cache-fuzz-") do |home|
        command = [RbConfig.ruby, "-W0", "--disable-did_you_mean", "--disable-error_highlight", *Caches.options(@upstream), SIDE, @kind, side, @seed.to_s, numbers.to_a.join(","), home, *(@plant if side == "ours")]
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
