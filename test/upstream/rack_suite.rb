# frozen_string_literal: true

require_relative "minitest_suite"

# Rack's own test suite, stock and under `frugal run`.
#
#   gem install --install-dir ~/gems minitest:5.27.0 minitest-global_expectations webrick logger
#   GEM_HOME=~/gems ruby test/upstream/rack_suite.rb ~/src/rack      # a checkout of rack/rack at v3.2.7
#
# Exit status: 0 the same, or no checkout is named; 1 different; 2 the suite does not run here.
if ARGV.empty?
  puts "skipped: name the folder of a checkout of rack/rack"
else
  files = 'Dir["test/spec_*.rb"].sort.each { |file| require File.expand_path(file) }'
  exit MinitestSuite.new(["-Ilib", "-Itest", "-e", files], chdir: File.expand_path(ARGV.first), on: %w[fileutils]).call
end
