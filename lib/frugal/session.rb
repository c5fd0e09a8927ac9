# frozen_string_literal: true

require_relative "loader"
require_relative "session/counters"
require_relative "session/file_backend"
require_relative "session/middleware"

module Frugal
  # What the session stores for Rack (`rack/session/frugal`) and Rails (`frugal/rails/sessions`) share. docs/sessions.md
  # has the options and the guarantees.
  #
  # - `Middleware` is included in a class of rack-session: it loads a session at its first use and commits it at the
  #   end.
  # - `FileBackend`, `SQLiteBackend` and `RedisBackend` keep the bytes; {Backend} has their interface, for another
  #   place. `Place` chooses one.
  # - `Serializer` converts a session to bytes and back, `Merge` combines what two requests have changed.
  #
  #   Frugal::Session.counters   # => { quarantined: 0, not_saved: 0, merged: 0, waited: 0, swept: 0 }
  module Session
    autoload :RedisBackend, "#{__dir__}/session/redis_backend"
    autoload :SQLiteBackend, "#{__dir__}/session/sqlite_backend"

    @counters = Counters.new

    class << self
      # What happened in this process since it started.
      #
      # @return [Hash{Symbol => Integer}] `quarantined` files that were no sessions, sessions that were `not_saved`,
      #   commits that were `merged` with those of other requests, requests that `waited` for another one in vain,
      #   expired sessions that were `swept`
      def counters = @counters.to_h

      # Counts an event.
      #
      # @api private
      # @return [Boolean] whether to log it: the first of its kind in a minute
      def count(name, by = 1) = @counters.add(name, by)
    end
  end
end
