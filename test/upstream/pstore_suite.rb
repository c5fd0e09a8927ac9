# frozen_string_literal: true

require "open3"
require "tempfile"
require_relative "suite_ruby"

# Runs the test suites of PStore and of YAML::Store with each version of PStore: stock,
# and with the drop-in in each Ruby process, with both engines. The counts and the tests
# that do not pass must be the same. Fewer tests that do not pass are allowed (0.2.0's
# ultra_safe does not work under Ruby 3.1).
#
#   bin/setup --pstores
#   gem install --install-dir tmp/pstores test-unit-ruby-core
#   ruby test/upstream/pstore_suite.rb ~/src/pstore ~/src/yaml   # checkouts of ruby/pstore and ruby/yaml
#   ruby test/upstream/pstore_suite.rb --jruby ~/src/pstore ~/src/yaml # JRuby, after bin/setup --jruby
#
# Exit status: 0 the same, or no checkout is named; 1 different; 2 a suite does not
# run here.
class PStoreSuite
  ROOT = File.expand_path("../..", __dir__)
  GEMS = "#{ROOT}/tmp/pstores/gems"
  LOADER = 'Dir["test/**/test_*store.rb"].each { |file| require File.expand_path(file) }'
  COUNTS = /^\d+ tests, .*$/
  NOT_PASSED = /^(Failure|Error|Omission): (\w+\(\w+(?:::\w+)*\))/

  Outcome = Struct.new(:counts, :not_passed, :on, :text) do
    def verdict = [counts, not_passed]
  end

  def initialize(ruby, checkouts)
    @ruby = ruby
    @checkouts = checkouts
  end

  # @return [Integer] the exit status
  def call
    @checkouts.product(versions).map { |checkout, version| compare(checkout, version) }.max
  end

  private

  def versions = Dir.glob("#{GEMS}/pstore-*")

  def compare(checkout, version)
    stock, *others = ["stock", *@ruby.engines].map do |engine|
      run(checkout, version, engine).tap do |outcome|
        puts "#{File.basename(checkout)}, #{File.basename(version)}, #{engine.ljust(5)}  #{outcome.counts}"
      end
    end
    return broken(stock) unless stock.counts

    wrong = others.reject { |outcome| outcome.on && no_worse?(outcome, stock) }
    wrong.each { |outcome| puts outcome.text.lines.last(40) }
    wrong.empty? ? 0 : 1
  end

  def no_worse?(outcome, stock)
    outcome.verdict == stock.verdict || (outcome.counts && (outcome.not_passed - stock.not_passed).empty?)
  end

  def run(checkout, version, engine)
    Tempfile.create("census") do |census|
      text, = Open3.capture2e(environment(engine, census.path), @ruby.command, "-I#{version}/lib", "-Ilib",
                              "-Itest/lib", "-I#{gem("test-unit-ruby-core")}/lib", "-rpstore", "-rhelper",
                              "-e", LOADER, chdir: checkout)
      Outcome.new(text[COUNTS], text.scan(NOT_PASSED).sort, census.read.split.uniq == [engine], text)
    end
  end

  # Child processes get RUBYLIB and RUBYOPT, too.
  def environment(engine, census)
    return @ruby.environment if engine == "stock"

    @ruby.environment.merge("RUBYOPT" => "-rfrugal/pstore -rpstore_suite_census",
                            "RUBYLIB" => "#{ROOT}/lib#{File::PATH_SEPARATOR}#{__dir__}",
                            "FRUGAL_ENGINE" => engine, "PSTORE_SUITE_CENSUS" => census)
  end

  def gem(name) = Dir.glob("#{GEMS}/#{name}-*").first

  def broken(stock)
    warn "the suite does not run here, not even stock:", stock.text.lines.last(20)
    2
  end
end

ruby = SuiteRuby.new(ARGV)
if ARGV.empty?
  puts "skipped: name the folders of checkouts of ruby/pstore and ruby/yaml"
else
  exit PStoreSuite.new(ruby, ARGV.map { |folder| File.expand_path(folder) }).call
end
