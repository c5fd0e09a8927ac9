# frozen_string_literal: true

require_relative "minitest_suite"

# Action Pack's own test suite, stock and under `frugal run`. The drop-in for Rails, which `frugal run` does not
# install, is installed before the first test, and writes every trace.
#
#   gem install --install-dir ~/gems rails:7.2.3.2 minitest:5.25.5 rack-cache selenium-webdriver capybara \
#     launchy msgpack
#   GEM_HOME=~/gems ruby test/upstream/actionpack_suite.rb ~/src/rails      # a checkout of rails/rails at v7.2.3.2
#
# v8.0.5.1 and v8.1.3.1 run with Ruby 3.3 and the gems of Rails 8.1. With the gems minitest 6 or json 3, tests
# fail, also in stock.
#
# Exit status: 0 the same, or no checkout is named; 1 different; 2 the suite does not run here.
if ARGV.empty?
  puts "skipped: name the folder of a checkout of rails/rails"
else
  root = File.expand_path(ARGV.first)
  libraries = %w[activesupport actionview activemodel railties actionpack].map { |name| "-I#{root}/#{name}/lib" }
  # Does not look for a browser, and skips the tests that need one.
  program = <<~RUBY
    gem "minitest", "< 6"
    require "selenium-webdriver"
    Selenium::WebDriver::DriverFinder.class_eval { def driver_path = "/bin/true" }
    files = Dir["test/{abstract,assertions,controller,dispatch,journey}/**/*_test.rb"].sort.grep_v(/system_testing/)
    files.each { |file| require File.expand_path(file) }
    if defined?(Frugal::Autorun)
      require "#{MinitestSuite::ROOT}/lib/frugal" # the copy that frugal run has loaded
      require "#{MinitestSuite::ROOT}/lib/frugal/dropin/rails"
      Frugal::Dropin::Rails.install
      Frugal::Dropin::Rails.trace_every = 1
    end
  RUBY
  exit MinitestSuite.new(["-W0", *libraries, "-Itest", "-e", program], chdir: "#{root}/actionpack",
                                                                       on: %w[fileutils], env: { "MT_CPU" => "1" }).call
end
