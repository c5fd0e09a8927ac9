# frozen_string_literal: true

require_relative "boot"
require "rails"
require "action_controller/railtie"
require "action_view/railtie"
require "rails/test_unit/railtie"
require "sprockets/railtie"

module Blog
  class Application < Rails::Application
    config.root = File.expand_path("..", __dir__)
    config.load_defaults 7.2
    config.secret_key_base = "0" * 64
    config.eager_load = ENV["RAILS_ENV"] == "production"
    config.cache_store = :file_store, "#{config.root}/tmp/cache/store"
    config.consider_all_requests_local = false
    config.action_dispatch.show_exceptions = :all
  end
end
