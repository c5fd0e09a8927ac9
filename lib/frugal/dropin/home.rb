# frozen_string_literal: true

require_relative "../constants"

module Frugal
  module Dropin
    # Whether a file is upstream's: a program may have a lib/find.rb of its own.
    #
    #   Home.of?("/usr/lib/ruby/3.1.0/find.rb", "find")                 # => true
    #   Home.of?("/var/lib/gems/3.1.0/gems/rake-13.0.6/lib/rake.rb", "rake")  # => true
    #   Home.of?("/srv/app/lib/find.rb", "find")                        # => false
    #
    # Upstream's home is one of Ruby's library folders, the folder of its gem, as
    # RubyGems and Bundler name it, a folder that RubyGems has activated for it, or
    # a checkout with its gemspec.
    module Home
      # Ruby's own, Debian's for packaged gems, and the administrator's.
      FOLDERS = %w[rubylibdir vendordir sitedir].freeze
      # As they are when the process starts.
      EXIST = ::File.method(:file?)
      READ = ::File.method(:binread)
      # Ruby loads it before any program, from the folder that has rbconfig.rb.
      BOOTED = "/enc/encdb."
      private_constant :FOLDERS, :EXIST, :READ, :BOOTED

      class << self
        # @param file [String, nil] absolute
        # @param gem [String] upstream's name
        # *Cost*: no system call for a file below Ruby's folders or a gem's; else one stat. Without RubyGems
        # (<tt>--disable-gems</tt>), rbconfig.rb is read once.
        def of?(file, gem)
          return false unless file

          rubys?(file) || gems?(file, gem)
        end

        private

        def rubys?(file)
          config = Constants.loaded("RbConfig::CONFIG") || (@config ||= unloaded_config)
          FOLDERS.any? { |name| (folder = config[name]) && file.start_with?("#{folder}/") }
        end

        # RbConfig::CONFIG where nobody has loaded it. A require would be seen by the program, as a constant and as
        # a feature; evaluated inside a module that nobody knows, it is not.
        #
        # @return [Hash] empty where there is no such file
        def unloaded_config
          encodings = $LOADED_FEATURES.find { |feature| feature.include?(BOOTED) } or return {}
          file = "#{encodings[0...encodings.rindex(BOOTED)]}/rbconfig.rb"
          return {} unless EXIST.call(file)

          hidden = Module.new
          hidden.module_eval(READ.call(file), file, 1)
          FOLDERS.to_h { |name| [name, hidden.const_get(:RbConfig)::CONFIG[name]] }
        end

        def gems?(file, gem)
          at = file.rindex("/lib/") or return false
          root = file[0...at]
          root.match?(%r{/gems/#{gem}-(?:\d[^/]*|\h{7,40})\z}) || activated?("#{root}/lib", gem) || EXIST.call("#{root}/#{gem}.gemspec")
        end

        def activated?(folder, gem)
          gems = Constants.loaded("Gem")
          gems.respond_to?(:loaded_specs) && gems.loaded_specs[gem]&.full_require_paths&.include?(folder)
        end
      end
    end
  end
end
