# frozen_string_literal: true

require_relative "loader"
require_relative "session/counters"
require_relative "session/file_backend"
require_relative "session/middleware"

module Frugal
  # The code that the session stores for Rack (`rack/session/frugal`) and Rails (`frugal/rails/sessions`) share.
  # docs/sessions.md has the options and the guarantees.
  #
  # - `Middleware` is included in a class of rack-session: it loads a session at its first use and commits it at the
  #   end.
  # - `FileBackend`, `SQLiteBackend` and `RedisBackend` keep the bytes, and `Place` chooses one of them. {Backend}
  #   documents their interface, for backends outside this gem.
  # - `Serializer` converts a session to bytes and back, `Merge` combines the changes of two requests.
  #
  #   Frugal::Session.counters   # => { quarantined: 0, not_saved: 0, merged: 0, waited: 0, swept: 0 }
  module Session
    autoload :RedisBackend, "#{__dir__}/session/redis_backend"
    autoload :SQLiteBackend, "#{__dir__}/session/sqlite_backend"

    @counters = Counters.new

    class << self
      # The events in this process since it started.
      #
      # @return [Hash{Symbol => Integer}] `quarantined` files that did not contain a session, sessions that were
      #   `not_saved`, commits that were `merged` with commits of other requests, requests that `waited` for another
      #   request until the time limit, expired sessions that were `swept`
      def counters = @counters.to_h

      # Counts an event.
      #
      # @api private
      # @return [Boolean] whether to log it: the first of its kind in a minute
      def count(name, by = 1) = @counters.add(name, by)
    end
  end
end
