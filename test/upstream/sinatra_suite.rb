# frozen_string_literal: true

require_relative "minitest_suite"

# Sinatra's own test suite, stock and under `frugal run` with frugal/sinatra loaded.
#
#   gem install --install-dir ~/gems minitest:5.25.4 rack-test rack-session tilt mustermann rackup webrick \
#     activesupport:7.2.2 builder erubi haml kramdown liquid markaby rabl slim redcarpet asciidoctor rdoc \
#     childprocess ostruct
#   GEM_HOME=~/gems ruby test/upstream/sinatra_suite.rb ~/src/sinatra      # a checkout of sinatra/sinatra at v4.2.1
#
# Skips test/integration*, which starts servers and needs Puma and Falcon.
# Exit status: 0 the same, or no checkout is named; 1 different; 2 the suite does not run here.
if ARGV.empty?
  puts "skipped: name the folder of a checkout of sinatra/sinatra"
else
  script = <<~RUBY
    ENV["APP_ENV"] = "test"
    require "#{MinitestSuite::ROOT}/lib/frugal/sinatra" if defined?(Frugal::Autorun)
    Dir["test/*_test.rb"].sort.grep_v(/integration/).each { |file| require File.expand_path(file) }
  RUBY
  options = %w[-W0 -Ilib -Irack-protection/lib -Isinatra-contrib/lib -Itest]
  exit MinitestSuite.new([*options, "-e", script], chdir: File.expand_path(ARGV.first), on: %w[sinatra]).call
end
