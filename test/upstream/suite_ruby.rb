# frozen_string_literal: true

require "rbconfig"

# The Ruby that runs a suite of upstream's: this one, or JRuby if the arguments have the option `--jruby`.
#
#   ruby = SuiteRuby.new(ARGV)     # removes the option
#   ruby.engines                   # => ["c", "pure"], or ["java", "pure"]
#   Open3.capture3(ruby.environment, ruby.command, "-w", "test/test_find.rb")
class SuiteRuby
  ROOT = File.expand_path("../..", __dir__)
  NONE = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL" => nil }.freeze
  # The gems are JRuby's own. Rake's suite starts RUBY, since JRuby's `Gem.ruby` is no file.
  FOR_JRUBY = { "GEM_HOME" => nil, "GEM_PATH" => nil, "BUNDLE_GEMFILE" => nil, "LC_ALL" => "C.UTF-8",
                "RUBY" => "#{ROOT}/bin/jruby", "FRUGAL_JVM" => "short" }.freeze

  # @param argv [Array<String>]
  def initialize(argv)
    @jruby = !argv.delete("--jruby").nil?
  end

  # @return [String] its path
  def command = @jruby ? "#{ROOT}/bin/jruby" : RbConfig.ruby

  # @return [Array<String>] values of FRUGAL_ENGINE
  def engines = [@jruby ? "java" : "c", "pure"]

  # @return [Hash{String => String, nil}] for stock; without frugal
  def environment = @jruby ? { **NONE, **FOR_JRUBY } : NONE
end
