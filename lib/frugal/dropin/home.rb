# frozen_string_literal: true

require_relative "../constants"

module Frugal
  module Dropin
    # Finds out whether a file belongs to upstream: a program may have its own lib/find.rb.
    #
    #   Home.of?("/usr/lib/ruby/3.1.0/find.rb", "find")                 # => true
    #   Home.of?("/var/lib/gems/3.1.0/gems/rake-13.0.6/lib/rake.rb", "rake")  # => true
    #   Home.of?("/srv/app/lib/find.rb", "find")                        # => false
    #
    # A file belongs to upstream in one of Ruby's library folders, in a folder with the
    # name that RubyGems or Bundler gives to upstream's gem, in a folder that RubyGems has
    # activated for that gem, or in a checkout with its gemspec.
    module Home
      # The keys in RbConfig::CONFIG of Ruby's folder, Debian's for packaged gems, and the administrator's.
      FOLDERS = %w[rubylibdir vendordir sitedir].freeze
      # Kept as they are when the process starts: a test may stub them later.
      EXIST = ::File.method(:file?)
      READ = ::File.method(:binread)
      # A file that Ruby loads before any program, from the folder that contains rbconfig.rb.
      BOOTED = "/enc/encdb."
      # JRuby's folder if no property of Java names another one.
      JRUBY_HOME = "uri:classloader:/META-INF/jruby.home"
      private_constant :FOLDERS, :EXIST, :READ, :BOOTED, :JRUBY_HOME

      class << self
        # *Cost*: no system call for a file below Ruby's folders or a gem's; otherwise one
        # `stat`. Without RubyGems (`--disable-gems`), MRI reads rbconfig.rb once.
        #
        # @param file [String, nil] absolute
        # @param gem [String] the name of upstream's gem
        def of?(file, gem)
          return false unless file

          in_ruby?(file) || in_gem?(file, gem)
        end

        private

        def in_ruby?(file)
          config = Constants.loaded("RbConfig::CONFIG") || (@config ||= unloaded_config)
          FOLDERS.any? { |name| (folder = config[name]) && file.start_with?("#{folder}/") }
        end

        # The folders of RbConfig::CONFIG if the program has not loaded it. The program would
        # see a require as a new constant and a new feature, so the file is evaluated inside an
        # anonymous module.
        #
        # JRuby has no such file; its folder is a property of Java.
        #
        # @return [Hash] empty if there is no such file
        def unloaded_config
          jruby = ::ENV_JAVA["jruby.home"] || JRUBY_HOME if Platform::JRUBY
          return { "rubylibdir" => "#{jruby}/lib/ruby/stdlib" } if jruby

          encodings = $LOADED_FEATURES.find { |feature| feature.include?(BOOTED) } or return {}
          file = "#{encodings[0...encodings.rindex(BOOTED)]}/rbconfig.rb"
          return {} unless EXIST.call(file)

          hidden = Module.new
          hidden.module_eval(READ.call(file), file, 1)
          FOLDERS.to_h { |name| [name, hidden.const_get(:RbConfig)::CONFIG[name]] }
        end

        def in_gem?(file, gem)
          at = file.rindex("/lib/") or return false
          root = file[0...at]
          root.match?(%r{/gems/#{gem}-(?:\d[^/]*|\h{7,40})\z}) || activated?("#{root}/lib", gem) ||
            EXIST.call("#{root}/#{gem}.gemspec")
        end

        def activated?(folder, gem)
          gems = Constants.loaded("Gem")
          gems.respond_to?(:loaded_specs) && gems.loaded_specs[gem]&.full_require_paths&.include?(folder)
        end
      end
    end
  end
end
