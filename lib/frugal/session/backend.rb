# frozen_string_literal: true

require_relative "../error"

module Frugal
  module Session
    # The place where sessions are kept has failed. The next request may succeed.
    class Unavailable < Error; end

    # Other requests of the session prevent a change, and the session stays as they left it. Either they have changed
    # the same key, because one request took longer than `lock_wait:`, or they change or lock the session all the time.
    class Conflict < Error; end

    # The interface between `Middleware` and a place for bytes.
    #
    # [load(id, turn)]
    #   the {Stored} session; nil if there is none, `:deleted` if it was deleted while this request waited. With `turn`,
    #   later requests of this session wait until `release`, for a limited time. Yields an event and a message:
    #   `:waited` if the wait timed out, `:quarantined` for a bad file
    # [create(id, bytes, format, lifetime)]
    #   saves a new session, which expires when it has not been used for `lifetime` seconds
    # [commit(stored, bytes, format, lifetime)]
    #   saves a session that was loaded. If the session was changed since then, yields the present bytes and their
    #   format, and saves the result of the block. Returns false if the session was deleted meanwhile; it stays deleted
    # [delete(id)]
    # [release(stored)]
    #   ends the turn of `load` and releases its resources; may be called again
    # [quarantine(stored)]
    #   quarantines a session whose bytes cannot be read; returns whether it did
    #
    # An id is Rack's private id. The first four raise {Unavailable}, `create` and `commit` also {Conflict}.
    module Backend
      # A session as it was loaded. `sequence` changes with each write, `handle` is the backend's own.
      Stored = Struct.new(:id, :bytes, :format, :lifetime, :sequence, :handle)
    end
  end
end
