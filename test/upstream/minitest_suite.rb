# frozen_string_literal: true

require "open3"
require "rbconfig"
require "tempfile"

# A test suite of somebody else's in minitest, as it is and under `frugal run`, by both
# engines and with one seed: the same counts and the same tests that do not pass are wanted.
#
#   suite = MinitestSuite.new(["-Itest", "-e", "…"], chdir: "/src/rack", on: %w[fileutils])
#   exit suite.call
class MinitestSuite
  ROOT = File.expand_path("../..", __dir__)
  CENSUS = File.expand_path("minitest_suite_census.rb", __dir__)
  COUNTS = /^\d+ (?:runs|tests), .*$/.freeze
  NOT_PASSED = /^ *\d+\) (Failure|Error|Skipped):\n(.+?)(?: \[.*)?$/.freeze

  # What one run said; +processes+ has a line of the engine and the drop-ins that were on.
  Outcome = Struct.new(:side, :counts, :not_passed, :processes, :text) do
    def verdict = [counts, not_passed]
  end

  # @param command [Array<String>] what Ruby is to run
  # @param chdir [String] a checkout
  # @param on [Array<String>] drop-ins that must be on in it under the C engine, so that something is tested
  # @param env [Hash{String => String}]
  def initialize(command, chdir:, on:, env: {}, seed: ENV.fetch("SEED") { rand(10_000) })
    @command = command
    @chdir = chdir
    @on = on
    @env = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "SEED" => seed.to_s }.merge(env)
  end

  # @return [Integer] an exit status: 0 the same; 1 different; 2 the suite does not run here at all
  def call
    puts "seed #{@env["SEED"]}"
    stock = show(run("stock"))
    return broken(stock) unless stock.counts

    wrong = %w[c pure].map { |engine| show(run(engine)) }.reject { |outcome| outcome.verdict == stock.verdict && on?(outcome) }
    wrong.each { |outcome| explain(stock, outcome) }
    puts "the same" if wrong.empty?
    wrong.empty? ? 0 : 1
  end

  private

  def run(side)
    Tempfile.create("census") do |census|
      launcher = side == "stock" ? [] : ["#{ROOT}/bin/frugal", "run", "--"]
      watch = side == "stock" ? [] : ["-r#{CENSUS}"]
      env = @env.merge("FRUGAL_ENGINE" => side == "stock" ? nil : side, "FRUGAL_SUITE_CENSUS" => census.path)
      text, = Open3.capture2e(env, *launcher, RbConfig.ruby, *watch, *@command, chdir: @chdir)
      Outcome.new(side, text[COUNTS], text.scan(NOT_PASSED).sort, census.read.split("\n").uniq, text)
    end
  end

  def show(outcome)
    puts [outcome.side.ljust(5), outcome.counts || "no counts", *outcome.processes].join("  ")
    outcome
  end

  # Under the pure engine most drop-ins stand aside; it is there, that is all.
  def on?(outcome)
    return outcome.processes.any? if outcome.side == "pure"

    outcome.processes.any? { |line| line.split.then { |engine, *names| engine == "c" && (@on - names).empty? } }
  end

  def explain(stock, outcome)
    puts "#{outcome.side}: not on: #{@on.join(", ")}" unless on?(outcome)
    puts "only stock: #{(stock.not_passed - outcome.not_passed).inspect}", "only #{outcome.side}: #{(outcome.not_passed - stock.not_passed).inspect}"
    puts outcome.text.lines.last(60)
  end

  def broken(stock)
    warn "stock's suite does not run here:", stock.text.lines.last(20)
    2
  end
end
