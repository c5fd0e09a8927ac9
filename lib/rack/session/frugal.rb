# frozen_string_literal: true

begin
  require "rack/session/abstract/id"
rescue LoadError => e
  require_relative "../../frugal/error"
  raise Frugal::UsageError, "rack/session/frugal needs the gem rack-session (with Rack 3), or Rack 2: " \
                            "add gem \"rack-session\" to the Gemfile (#{e.message})"
end
require_relative "../../frugal/session"

# Rack's own module, to which a session store is added.
module Rack
  # Rack's namespace for session stores.
  module Session
    # Sessions in files, in SQLite or on a Redis server. Unchanged sessions are not written, requests of one session do
    # not undo each other's changes, and a bad file is an empty session.
    #
    #   require "rack/session/frugal"
    #   use Rack::Session::Frugal, dir: "tmp/sessions", expire_after: 86_400
    #
    # Options in addition to those of rack-session:
    # [dir:]        the directory; it is created when it is needed
    # [redis:]      instead of `dir:`, a URL, a Hash of options for RedisClient, its config or a pool; true: REDIS_URL
    # [sqlite:]     instead of `dir:`, an SQLite file
    # [serializer:] `:json`, `:messagepack`, `:marshal` (needs `secret:`), or an object with `dump(hash)` and
    #               `load(bytes)`
    # [secret:]     for Marshal: 32 random bytes or more; an Array to change it: the first is for writing, all are for
    #               reading
    # [lock:]       false: requests of one session run at the same time, and their changes are merged
    # [lock_wait:]  seconds that a request waits for another request of its session (5)
    # [keep_for:]   seconds after which an unused session is deleted, if there is no `expire_after:` (30 days)
    # [max_bytes:]  of a session (16 MiB)
    #
    # *Cost*: a session of up to 2 kB that is not changed takes open, fcntl, fstat, read, close; a changed one also
    # flock, read, write. docs/sessions.md has the details.
    class Frugal < Abstract::PersistedSecure
      include ::Frugal::Session::Middleware
    end
  end
end
