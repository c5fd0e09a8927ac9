# frozen_string_literal: true

require "fileutils"
require "open3"

module Frugal
  module Bench
    # A cache of gems that a benchmark compares with and that are not installed.
    module GemCache
      class << self
        # @return [String] the folder of the cache; it contains gems/NAME-VERSION
        def folder = File.join(ENV["XDG_CACHE_HOME"] || File.join(Dir.home, ".cache"), "frugal/bench")

        # @param gem [String]
        # @param version [String, nil] nil: the newest
        # @return [Boolean] whether the gem is in the cache now
        def fetch(gem, version = nil)
          FileUtils.mkdir_p(folder)
          _, status = Open3.capture2e("gem", "install", "--no-document", "--install-dir", folder, gem,
                                      *(["--version", version] if version))
          status.success?
        end
      end
    end
  end
end
