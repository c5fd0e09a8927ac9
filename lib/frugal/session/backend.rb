# frozen_string_literal: true

require_relative "../error"

module Frugal
  module Session
    # Something is wrong with the place where sessions are kept. It may be right again at the next request.
    class Unavailable < Error; end

    # Other requests of a session stand in the way of a change. The session is as they left it: they have changed the
    # same key, as one request took longer than `lock_wait:`, or they have changed it, or locked it, without an end.
    class Conflict < Error; end

    # The interface between `Middleware` and a place for bytes.
    #
    # [load(id, turn)]
    #   the {Stored} session; nil if there is none, `:deleted` if it was deleted while this request waited. With `turn`,
    #   later requests of this session wait until `release`, but not for ever. Yields what it reports: `:waited` in
    #   vain, or `:quarantined` a bad file, and a message
    # [create(id, bytes, format, lifetime)]
    #   saves a new session, which ends when it has not been used for `lifetime` seconds
    # [commit(stored, bytes, format, lifetime)]
    #   saves a session that was loaded. If it is another one by now, yields the present bytes and their format, and
    #   saves what the block returns. False: it was deleted meanwhile, and stays so
    # [delete(id)]
    # [release(stored)]
    #   ends what `load` began; may be called again
    # [discard(stored)]
    #   puts away a session whose bytes cannot be read; returns whether it did
    #
    # An id is Rack's private id. The first four raise {Unavailable}, `create` and `commit` also {Conflict}.
    module Backend
      # A session as it was loaded. `sequence` changes with each write, `handle` is the backend's own.
      Stored = Struct.new(:id, :bytes, :format, :lifetime, :sequence, :handle)
    end
  end
end
