# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/web_server"

# A Rails application with the drop-in behind a real Puma.
class RailsPumaTest < Frugal::TestCase
  include WebServer::Serving

  def setup
    skip WebGems::MISSING unless WebGems.available?("railties", "activerecord", "sqlite3", "rack")
  end

  def test_errors_of_each_kind_keep_the_connection
    server = serve(<<~RUBY)
      %w[logger stringio tempfile active_support rails action_controller/railtie active_record/railtie]
        .each { |feature| require feature }
      require "#{ROOT}/test/support/rails_app/application"
      run RailsApp.boot("frugal" => true, "lib" => "#{LIB}", "route_check" => true, "trace_every" => 1000)
    RUBY
    server.client do |client|
      paths = %w[/page /gone /gone?depth=150 /missing_on_nil /nowhere /nowhere.json /handled /page]
      assert_equal [200, 404, 404, 500, 404, 404, 410, 200], paths.map { |path| client.get(path).status }
      assert_equal 1, client.connections
    end
  end
end
