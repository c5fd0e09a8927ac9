# frozen_string_literal: true

module Frugal
  module Cache
    # Matches keys with the patterns of `delete_matched`.
    module Matching
      # @param pattern [Regexp, String] a String is a glob for the whole key
      # @param key [String] any bytes
      def self.match?(pattern, key)
        key = key.scrub
        return pattern.match?(key) if pattern.is_a?(Regexp)

        !key.include?("\0") && ::File.fnmatch?(pattern, key, ::File::FNM_DOTMATCH)
      end
    end
  end
end
