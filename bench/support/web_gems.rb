# frozen_string_literal: true

require "rbconfig"

module Frugal
  module Bench
    # The servers and frameworks that `bin/setup --webs` has installed into tmp/webs for
    # this Ruby. They are separate from the gems of RubyGems.
    #
    #   skip WebGems::MISSING unless WebGems.available?("puma", "sinatra")
    #   run_command(RUBY, *WebGems.options, "app.rb", env: WebGems::ENVIRONMENT)
    #   WebGems.load("rack")                       # into this process
    #   WebGems.options("rack" => "2.2.17")        # an older one
    module WebGems
      ROOT = File.expand_path("../../tmp/webs/#{RUBY_ENGINE}-#{RbConfig::CONFIG["ruby_version"]}", __dir__)
      MISSING = "the gem is not in tmp/webs: bin/setup --webs"
      # GEM_PATH is needed by code that calls `gem`, such as ActiveRecord's adapters. The other variables are unset or
      # fixed, so that the user's settings have no effect.
      ENVIRONMENT = { "GEM_PATH" => [ROOT, *Gem.path].join(File::PATH_SEPARATOR), "RUBYOPT" => nil, "BUNDLE_GEMFILE" => nil,
                      "RACK_ENV" => "production", "RAILS_ENV" => "production", "FRUGAL_TRACE" => nil }.freeze
      FOLDER = /\A(?<name>.+?)-(?<version>\d[\w.]*)(?:-[\w-]+)?\z/

      class << self
        # @return [Boolean] whether all of these gems are installed
        def available?(*names) = names.all? { |name| folders.key?(name) }

        # Command-line options of Ruby that add the gems and their compiled extensions to the load path.
        #
        # @param versions [Hash{String => String}] gem → version; the default is the newest
        # @return [Array<String>]
        def options(versions = {}) = libraries(folders.keys, versions).map { |library| "-I#{library}" }

        # Adds gems to the load path of this process.
        def load(*names, versions: {})
          $LOAD_PATH.concat(libraries(names, versions) - $LOAD_PATH)
        end

        # @return [Array<String>] the installed versions, such as ["2.2.17", "3.2.8"], oldest first
        def versions(name) = folders.fetch(name, {}).keys.sort_by { |version| Gem::Version.new(version) }

        # @return [String] the folder of the gem

        def folder(name, version = versions(name).last) = "#{ROOT}/gems/#{folders.fetch(name).fetch(version)}"

        private

        # @return [Hash{String => Hash{String => String}}] name => version => folder
        def folders
          @folders ||= Dir.children("#{ROOT}/gems").each_with_object({}) do |folder, found|
            match = FOLDER.match(folder) or next
            (found[match[:name]] ||= {})[match[:version]] = folder
          end
        rescue Errno::ENOENT
          @folders = {}
        end

        def libraries(names, versions)
          names.flat_map do |name|
            folder = folder(name, versions.fetch(name) { versions(name).last })
            library = name == "concurrent-ruby" ? "lib/concurrent-ruby" : "lib"
            ["#{folder}/#{library}", *Dir.glob("#{ROOT}/extensions/*/*/#{File.basename(folder)}")]
          end
        end
      end
    end
  end
end
