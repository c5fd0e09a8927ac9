# frozen_string_literal: true

# Loads Rails, and reads plans until there is no other one. Boots a small Rails application for each run of a plan, in a fork,
# sends it requests, and prints everything that its clients, subscribers and reporters and the readers of its log can observe.
#
#   ruby rails_app.rb <plans     # a plan is a marshalled list of runs; prints the marshalled list of what was observed
#
# A run is { "frugal" => true, "requests" => [[verb, path, { … }], …], … }; see RailsApp.boot.
require "stringio"
require "tempfile"
require "logger"
require "active_support" # Rails 7.0 does not require it everywhere
require "rails"
require "action_controller/railtie"
require "active_record/railtie"
require "rack/mock"
require_relative "rails_app/application"
require_relative "rails_app/observer"

SEE = lambda do |run|
  IO.popen("-", "rb") do |child|
    next Marshal.load(child.read) if child

    begin
      app = RailsApp.boot(run)
      seen = run["state"] ? RailsApp.state : RailsApp::Observer.new(app).see(run.fetch("requests"))
      $stdout.binmode.write Marshal.dump(seen)
      $stdout.flush
    rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the parent
      STDERR.puts e.full_message # the observer replaces $stderr
    ensure
      exit!
    end
  end
end

$stdin.binmode
$stdout.binmode.sync = true
$stdout.write Marshal.dump(Marshal.load($stdin).map(&SEE)) until $stdin.eof?
