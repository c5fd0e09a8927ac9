# frozen_string_literal: true

require_relative "minitest_suite"

# Action Pack's own test suite, as it is, and under `frugal run` with the drop-in for Rails put in
# before the first test, each trace written (it is no part of `frugal run` itself).
#
#   gem install --install-dir ~/gems rails:7.2.3.2 minitest:5.25.5 rack-cache selenium-webdriver capybara launchy msgpack
#   GEM_HOME=~/gems ruby test/upstream/actionpack_suite.rb ~/src/rails      # a checkout of rails/rails at v7.2.3.2
#
# Likewise v8.0.5.1 and v8.1.3.1 with Ruby 3.3 and gems of Rails 8.1. Tests fail, by stock too, with minitest 6 or json 3 among the gems.
#
# Exit status: 0 the same, or no checkout was named; 1 different; 2 the suite does not run here at all.
if ARGV.empty?
  puts "skipped: name the folder of a checkout of rails/rails"
else
  root = File.expand_path(ARGV.first)
  libraries = %w[activesupport actionview activemodel railties actionpack].map { |name| "-I#{root}/#{name}/lib" }
  # No browser is looked for, and those tests are left out that would want one.
  program = <<~RUBY
    gem "minitest", "< 6"
    require "selenium-webdriver"
    Selenium::WebDriver::DriverFinder.class_eval { def driver_path = "/bin/true" }
    Dir["test/{abstract,assertions,controller,dispatch,journey}/**/*_test.rb"].sort.grep_v(/system_testing/).each { |file| require File.expand_path(file) }
    if defined?(Frugal::Autorun)
      require "#{MinitestSuite::ROOT}/lib/frugal" # so that what frugal run has loaded is not loaded again
      require "#{MinitestSuite::ROOT}/lib/frugal/dropin/rails"
      Frugal::Dropin::Rails.install
      Frugal::Dropin::Rails.trace_every = 1
    end
  RUBY
  exit MinitestSuite.new(["-W0", *libraries, "-Itest", "-e", program], chdir: "#{root}/actionpack", on: %w[fileutils], env: { "MT_CPU" => "1" }).call
end
