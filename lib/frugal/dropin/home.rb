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
      EXIST = ::File.method(:file?) # as it is when the process starts
      private_constant :FOLDERS, :EXIST

      class << self
        # @param file [String, nil] absolute
        # @param gem [String] upstream's name
        # *Cost*: no system call for a file below Ruby's folders or a gem's; else one stat.
        def of?(file, gem)
          return false unless file

          rubys?(file) || gems?(file, gem)
        end

        private

        def rubys?(file)
          config = Constants.loaded("RbConfig::CONFIG") or return false
          FOLDERS.any? { |name| (folder = config[name]) && file.start_with?("#{folder}/") }
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
