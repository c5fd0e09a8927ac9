# frozen_string_literal: true

require "open3"
require "rbconfig"
require "tempfile"

# Runs the test suite of another project that uses minitest: stock, and under `frugal run`
# with each engine, with one seed. The counts and the tests that do not pass must be the same.
#
#   suite = MinitestSuite.new(["-Itest", "-e", "…"], chdir: "/src/rack", on: %w[fileutils])
#   exit suite.call
class MinitestSuite
  ROOT = File.expand_path("../..", __dir__)
  CENSUS = File.expand_path("minitest_suite_census.rb", __dir__)
  COUNTS = /^\d+ (?:runs|tests), .*$/
  NOT_PASSED = /^ *\d+\) (Failure|Error|Skipped):\n(.+?)(?: \[.*)?$/

  # The result of one run. +processes+ has a line for each kind of process: its engine and its drop-ins.
  Outcome = Struct.new(:side, :counts, :not_passed, :processes, :text) do
    def verdict = [counts, not_passed]
  end

  # @param command [Array<String>] the arguments of Ruby
  # @param chdir [String] a checkout
  # @param on [Array<String>] drop-ins that must be on under the C engine
  # @param env [Hash{String => String}]
  def initialize(command, chdir:, on:, env: {}, seed: ENV.fetch("SEED") { rand(10_000) })
    @command = command
    @chdir = chdir
    @on = on
    @env = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "SEED" => seed.to_s }.merge(env)
  end

  # @return [Integer] the exit status: 0 the same; 1 different; 2 the suite does not run here
  def call
    puts "seed #{@env["SEED"]}"
    stock = show(run("stock"))
    return broken(stock) unless stock.counts

    outcomes = %w[c pure].map { |engine| show(run(engine)) }
    wrong = outcomes.reject { |outcome| outcome.verdict == stock.verdict && on?(outcome) }
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

  # Under the pure engine most drop-ins stand aside, so it is enough that frugal is loaded.
  def on?(outcome)
    return outcome.processes.any? if outcome.side == "pure"

    outcome.processes.any? { |line| line.split.then { |engine, *names| engine == "c" && (@on - names).empty? } }
  end

  def explain(stock, outcome)
    puts "#{outcome.side}: not on: #{@on.join(", ")}" unless on?(outcome)
    puts "only stock: #{(stock.not_passed - outcome.not_passed).inspect}",
         "only #{outcome.side}: #{(outcome.not_passed - stock.not_passed).inspect}"
    puts outcome.text.lines.last(60)
  end

  def broken(stock)
    warn "the suite does not run here, not even stock:", stock.text.lines.last(20)
    2
  end
end
