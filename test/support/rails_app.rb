# frozen_string_literal: true

# A small Rails application, stock and with the drop-in, each in a process of its own, and
# all that its clients, its log's readers, its subscribers and its reporters see.
#
#   ruby rails_app.rb <plan      # a plan is a list of runs, by Marshal; what each saw comes back by Marshal
#
# A run is { "frugal" => true, "requests" => [[verb, path, { … }], …], … }; see RailsApp.boot.
require "stringio"
require "tempfile"
require "logger"
require "active_support" # which Rails 7.0 forgets in one place
require "rails"
require "action_controller/railtie"
require "active_record/railtie"
require "rack/mock"
require_relative "rails_app/application"
require_relative "rails_app/observer"

plan = Marshal.load($stdin.binmode.read)
seen = plan.map do |run|
  IO.popen("-", "rb") do |child|
    next Marshal.load(child.read) if child

    begin
      app = RailsApp.boot(run)
      seen = run["state"] ? RailsApp.state : RailsApp::Observer.new(app).see(run.fetch("requests"))
      $stdout.binmode.write Marshal.dump(seen)
      $stdout.flush
    rescue Exception => e
      STDERR.puts e.full_message # rubocop:disable Style/GlobalStdStream (the observer has the other)
    ensure
      exit!
    end
  end
end
$stdout.binmode.write Marshal.dump(seen)
