# frozen_string_literal: true

require "json"
require_relative "../test_helper"
require_relative "../support/web_gems"

# A Rails application whose cache is FrugalStore, set by one line.
class CacheRailsTest < Frugal::TestCase
  APPLICATION = <<~'RUBY'
    require "logger"
    require "active_support"
    require "rails"
    require "action_controller/railtie"
    require "rack/mock"
    require "json"

    class PagesController < ActionController::Base
      def show
        count = Rails.cache.increment("visits")
        page = Rails.cache.fetch(["page", params[:id]], expires_in: 60) { "computed by visit #{count}" }
        10.times { Rails.cache.read("visits") }
        render plain: "#{count} #{page}"
      end
    end

    class Application < Rails::Application
      config.eager_load = false
      config.root = ARGV.first
      config.load_defaults Rails::VERSION::STRING.to_f
      config.logger = Logger.new(File::NULL)
      config.secret_key_base = "s" * 64
      config.hosts = nil
      config.cache_store = :frugal_store, "#{ARGV.first}/tmp/cache", { namespace: "app", max_size: 1_000_000 }
      routes.append { get "/pages/:id", to: "pages#show" }
    end
    Application.initialize!
    client = Rack::MockRequest.new(Application)
    bodies = %w[/pages/1 /pages/2 /pages/1].map { |path| client.get(path).body }
    puts JSON.generate(store: Rails.cache.class.name, bodies: bodies, visits: Rails.cache.read("visits"),
                       middleware: Application.middleware.map(&:name).compact.grep(/LocalCache/).size,
                       versioned: Rails.cache.class.supports_cache_versioning?, keys: Dir.glob("#{ARGV.first}/tmp/cache/??/*").size)
  RUBY

  WebGems.versions("railties").each do |version|
    define_method("test_rails_#{version}") do
      versions = %w[railties actionpack actionview activesupport activemodel activerecord].to_h { |gem| [gem, version] }
      versions["rack"] = WebGems.versions("rack").grep(/\A2/).last if version < "7.1"
      result = run_command(RUBY, "-W0", "-I", LIB, *WebGems.options(versions), "-e", APPLICATION, tree, env: WebGems::ENVIRONMENT)
      assert result.success?, result
      seen = JSON.parse(result.out)
      assert_equal ["1 computed by visit 1", "2 computed by visit 2", "3 computed by visit 1"], seen["bodies"]
      assert_equal ["ActiveSupport::Cache::FrugalStore", 3, 1, true, 3], seen.values_at("store", "visits", "middleware", "versioned", "keys")
    end
  end

  def test_there_are_versions_of_rails
    skip WebGems::MISSING unless WebGems.available?("railties")

    assert_operator WebGems.versions("railties").size, :>=, 2
  end
end
