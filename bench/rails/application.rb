# frozen_string_literal: true

require "fileutils"

module Frugal
  module RailsBench
    # Generates an application: its code, views, locales, and folders of assets for Propshaft.
    class Application
      ASSETS = %w[app/assets/images app/assets/stylesheets app/assets/builds app/assets/fonts app/assets/config app/javascript
                  lib/assets/images lib/assets/stylesheets vendor/assets/images vendor/assets/stylesheets vendor/javascript].freeze
      CONFIG = <<~RUBY
        require "logger"
        require "rails"
        require "active_model/railtie"
        require "action_controller/railtie"
        require "action_view/railtie"
        require "propshaft"

        class Application < Rails::Application
          config.load_defaults 7.2
          config.root = File.expand_path("..", __dir__)
          config.eager_load = false
          config.enable_reloading = true
          config.consider_all_requests_local = true
          config.secret_key_base = "x" * 64
          config.hosts.clear
          config.logger = Logger.new(File::NULL)
          config.assets.paths.concat(%w[#{(ASSETS - ASSETS.grep(%r{\Aapp/assets})).join(" ")}].map { |path| root.join(path) })
        end
      RUBY
      private_constant :ASSETS, :CONFIG

      # @param folder [String] that does not exist
      def initialize(folder)
        @folder = folder
      end

      # @param size [Cases::Case]
      # @return [void]
      def generate(size)
        write("config/application.rb", CONFIG)
        ASSETS.each { |path| write("#{path}/a.css", "") }
        routes = Array.new(size.controllers) { |number| "resources :thing#{number}s" }
        write("config/routes.rb", "Rails.application.routes.draw do\n#{routes.join("\n")}\nend\n")
        write("app/controllers/application_controller.rb", "class ApplicationController < ActionController::Base\nend\n")
        size.controllers.times { |number| resource(number) }
        size.locales.times { |number| write("config/locales/l#{number}.yml", "en:\n  t#{number}: hello\n") }
        size.folders.times { |folder| models(folder, size.files) }
      end

      private

      def resource(number)
        write("app/controllers/thing#{number}s_controller.rb",
              "class Thing#{number}sController < ApplicationController\n  def index\n  end\nend\n")
        write("app/models/thing#{number}.rb", "class Thing#{number}\n  include ActiveModel::Model\nend\n")
        write("app/views/thing#{number}s/index.html.erb", "<h1>Things</h1>\n")
      end

      def models(folder, files)
        files.times do |file|
          write("app/models/area#{folder}/part#{file}.rb", "module Area#{folder}\n  class Part#{file}\n  end\nend\n")
        end
      end

      def write(path, text)
        full = File.join(@folder, path)
        FileUtils.mkdir_p(File.dirname(full))
        File.write(full, text)
      end
    end
  end
end
