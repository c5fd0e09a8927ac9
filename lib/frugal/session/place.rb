# frozen_string_literal: true

require_relative "file_backend"

module Frugal
  module Session
    # Chooses the backend by the options `dir:`, `sqlite:`, `redis:` and `backend:`.
    module Place
      OPTIONS = %i[dir sqlite redis backend].freeze

      # @param options [Hash] of {Middleware}
      # @param lifetime [Integer] seconds; sessions that have not been used for that long are swept
      # @return [Backend]
      # @raise [UsageError] unless exactly one place is given
      def self.of(options, lifetime)
        place, *more = OPTIONS.select { |name| options[name] }
        if place.nil? || more.any?
          raise UsageError, "sessions need one place: dir:, sqlite:, redis: or backend: " \
                            "(got #{place ? [place, *more].map { |name| "#{name}:" }.join(" and ") : "none"})"
        end

        where = options[place]
        limits = { lock_wait: options[:lock_wait], max_bytes: options[:max_bytes] }
        case place
        when :dir then FileBackend.new(where, lifetime: lifetime, **limits)
        when :sqlite then SQLiteBackend.new(where, **limits)
        when :redis then RedisBackend.new(where, **limits)
        else where
        end
      end
    end
  end
end
