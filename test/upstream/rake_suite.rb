# frozen_string_literal: true

require "open3"
require "tempfile"
require_relative "suite_ruby"

# Runs Rake's own test suite: stock, and with the drop-in in each of its Ruby processes.
# The counts and the tests that do not pass must be the same.
#
#   ruby test/upstream/rake_suite.rb ~/src/rake      # or RAKE_CHECKOUT=~/src/rake
#   SEED=7 ruby test/upstream/rake_suite.rb ~/src/rake
#   ruby test/upstream/rake_suite.rb --jruby ~/src/rake   # JRuby, after bin/setup --jruby: a quarter of an hour
#
# Exit status: 0 the same, or no checkout is named; 1 different; 2 the suite does not
# run here.
class RakeSuite
  ROOT = File.expand_path("../..", __dir__)
  LIBRARIES = ["#{ROOT}/lib", __dir__].join(File::PATH_SEPARATOR)
  LOADER = 'Dir["test/**/test_*.rb"].sort.each { |file| require File.expand_path(file) }'
  COUNTS = /^\d+ (?:runs|tests), .*$/
  # The reports of minitest and of test-unit. Rake changed from one to the other.
  NOT_PASSED = [
    /^ *\d+\) (Failure|Error|Skipped):\n(\w+(?:::\w+)*#\w+)/,
    /^(Failure|Error): (\w+\(\w+(?:::\w+)*\))/,
    /^(Omission|Pending): .*\[(\w+\(\w+(?:::\w+)*\))\]$/
  ].freeze

  # The result of a run. +processes+ has a word for each Ruby process: the engine of the
  # drop-in, or the drop-in's state where it is not on. It is empty for stock.
  Outcome = Struct.new(:engine, :counts, :not_passed, :warnings, :processes, :text) do
    def verdict = [counts, not_passed, warnings]

    # In the many child processes that do not load Rake, or only one file of it, the drop-in is "waiting".
    def everywhere? = on > 1 && (processes - [engine, "unused", "waiting"]).empty?

    def on = processes.count(engine)

    def to_s
      on = ", on in #{self.on} of #{processes.size} processes" unless engine == "stock"
      "#{engine.ljust(5)}  #{counts}#{on}"
    end
  end

  def initialize(ruby, checkout, seed)
    @ruby = ruby
    @checkout = checkout
    @seed = seed
  end

  # @return [Integer] the exit status
  def call
    puts "seed #{@seed}"
    stock = show(run("stock"))
    return broken(stock) unless stock.counts

    others = @ruby.engines.map { |engine| show(run(engine)) }
    wrong = others.reject { |outcome| outcome.verdict == stock.verdict && outcome.everywhere? }
    wrong.each { |outcome| explain(stock, outcome) }
    puts "the same" if wrong.empty?
    wrong.empty? ? 0 : 1
  end

  private

  def run(engine)
    Tempfile.create("census") do |census|
      text, errors, = Open3.capture3(environment(engine, census.path), @ruby.command, "-w", "-Ilib", "-Itest",
                                     "-e", LOADER, "--", "-v", chdir: @checkout)
      not_passed = NOT_PASSED.flat_map { |pattern| text.scan(pattern) }.map { |found| found.join(" ") }.sort
      Outcome.new(engine, text[COUNTS], not_passed, errors.lines.sort, census.read.split, text + errors)
    end
  end

  # Child processes get RUBYLIB and RUBYOPT, too. minitest reads SEED.
  def environment(engine, census)
    stock = { **@ruby.environment, "SEED" => @seed, "FRUGAL_RAKE" => nil }
    return stock if engine == "stock"

    stock.merge("RUBYOPT" => "-rfrugal/autorun -rrake_suite_census", "RUBYLIB" => LIBRARIES,
                "FRUGAL_ENGINE" => engine, "RAKE_SUITE_CENSUS" => census)
  end

  def show(outcome)
    outcome.tap { puts outcome }
  end

  def broken(stock)
    warn "the suite does not run here, not even stock:", stock.text.lines.last(20)
    2
  end

  def explain(stock, other)
    puts "#{other.engine} differs"
    puts "  its drop-in: #{other.processes.tally}" unless other.everywhere?
    %i[not_passed warnings].each do |part|
      (other[part] - stock[part]).each { |line| puts "  more: #{line}" }
      (stock[part] - other[part]).each { |line| puts "  less: #{line}" }
    end
  end
end

ruby = SuiteRuby.new(ARGV)
checkout = ARGV.first || ENV["RAKE_CHECKOUT"]
if checkout.nil?
  puts "skipped: name the folder of a checkout of Rake, as an argument or as RAKE_CHECKOUT"
elsif !File.directory?("#{checkout}/test")
  warn "#{checkout} is not a checkout of Rake: it has no folder named test"
  exit 2
else
  exit RakeSuite.new(ruby, checkout, ENV.fetch("SEED") { Random.new_seed % 100_000 }.to_s).call
end
