# frozen_string_literal: true

require_relative "place"
require_relative "saving"
require_relative "serializer"
require_relative "visit"

module Frugal
  module Session
    # Finds, writes and deletes sessions, in a subclass of rack-session's PersistedSecure.
    #
    # A session is opened when the application first uses it, and closed when it is committed, at the latest when the
    # middleware returns. A failure of the disk, or a bad file, never raises: the request goes on with an empty
    # session. A session that could not be deleted raises {Unavailable}, and a change that would undo another request's
    # change raises {Conflict}.
    module Middleware
      include Saving

      # The options of this middleware, with their defaults; all others are rack-session's.
      OPTIONS = { dir: nil, sqlite: nil, redis: nil, backend: nil, serializer: :json, secret: nil, lock: true,
                  lock_wait: 5, on_conflict: nil, counters: [], keep_for: 30 * 86_400, max_bytes: 1 << 24 }.freeze
      # An id is hashed, so any characters would be safe; this pattern avoids hashing invalid ids from clients.
      ID = /\A[\x21-\x7e]{1,256}\z/n
      # The session was deleted while this request waited for it. A login of this user may have deleted it, and a new id
      # would log the user out. So the request has an empty session, which is not saved, and the client keeps its
      # cookie.
      class Deleted < StandardError; end
      private_constant :ID, :Deleted

      def initialize(app, options = {})
        super
        own = OPTIONS.to_h { |name, default| [name, @default_options.fetch(name, default)] }
        OPTIONS.each_key { |name| @default_options.delete(name) }
        @lock = own[:lock]
        @merge = merge(own)
        @keep_for = own[:keep_for]
        @serializer = Serializer.new(own[:serializer], own[:secret])
        @backend = Place.of(own, lifetime(@default_options))
        @visit_key = "frugal.session.visit.#{object_id}"
      end

      # @return [Backend]
      attr_reader :backend

      def context(env, *)
        outer = env[@visit_key] # not nil if the application calls itself with the same environment
        visit = env[@visit_key] = Visit.new(@backend)
        response = super
        replaced = visit.replaced
        delete(make_request(env), visit, replaced) if replaced && !visit.deleted?(replaced)
        response
      ensure
        visit.finish
        env[@visit_key] = outer || visit
      end

      # @return [Array(SessionId, Hash)] a new id and an empty session unless the session exists
      def find_session(req, sid)
        visit = visit_of(req)
        id = valid_id(sid)
        session = session_of(req, visit, id) if id && !visit&.deleted?(id)
        session ? [sid, session] : [issued(visit), {}]
      rescue Deleted
        visit.unreadable = visit.deleted_meanwhile = id
        [sid, {}]
      rescue Unavailable => e
        visit.unreadable = id if visit
        report(req, :not_saved, "a session cannot be read: #{e.message}")
        [sid, {}]
      end

      # @return [SessionId, false]
      def write_session(req, sid, session, options)
        visit = visit_of(req)
        id = sid.private_id
        return false if visit.nil? || visit.unreadable == id

        reopen(visit, id) if visit.saved?(id)
        unless visit.stored?(id) || visit.issued?(id)
          sid = issued(visit)
          id = sid.private_id
        end
        save(req, visit, id, session, lifetime(options)) && sid
      rescue StandardError => e # also errors of the serializer
        report(req, :not_saved, "a session could not be saved: #{e.message} (#{e.class})")
        visit.replaced = nil # the client keeps the old session
        raise if e.is_a?(Conflict) && @merge.strict?

        false
      end

      # @return [SessionId, nil] the id of the next session; nil with `:drop`
      def delete_session(req, sid, options)
        visit = visit_of(req)
        id = valid_id(sid)
        if options[:renew] && !options[:drop] && visit&.stored?(id) then visit.replaced = id
        elsif id then delete(req, visit, id)
        end
        issued(visit) unless options[:drop]
      end

      private

      # A session that is new and empty is not saved, and gets no cookie. A session that could not be read is not
      # committed either: the failure was reported already, and Rack would report it again.
      def commit_session?(req, session, options)
        return false unless super

        visit = visit_of(req)
        return false if visit.nil?
        return unsaved(req, visit, session) if visit.unreadable && !options[:renew]

        !visit.stored.nil? || !visit.replaced.nil? || !session.empty?
      end

      # Loads the session again for a second commit in one request.
      def reopen(visit, id)
        stored = @backend.load(id, false) { nil }
        visit.stored = stored unless stored == :deleted
      end

      # Reports a change that is lost because the session was deleted: by a logout, or by a login, which renews the id.
      def unsaved(req, visit, session)
        lost = visit.deleted_meanwhile && !session.empty?
        report(req, :not_saved, "a session was deleted while a request waited for it") if lost
        false
      end

      # @raise [UsageError]
      def merge(own)
        strict = { nil => @lock, raise: true, overwrite: false }.fetch(own[:on_conflict]) do |other|
          raise UsageError, "on_conflict: must be :raise or :overwrite (got #{other.inspect})"
        end
        Merge.new(counters: Array(own[:counters]).map(&:to_s), strict: strict)
      end

      # @return [Visit, nil] nil outside of a request
      def visit_of(req)
        visit = req.get_header(@visit_key)
        visit unless visit.nil? || visit.finished?
      end

      def valid_id(sid)
        public_id = sid&.public_id
        sid.private_id if public_id.is_a?(::String) && ID.match?(public_id.b)
      end

      def issued(visit)
        sid = generate_sid
        visit&.issue(sid.private_id)
        sid
      end

      # @return [Hash, nil]
      def session_of(req, visit, id)
        visit&.release # a request takes the turn only once
        stored = @backend.load(id, @lock && !visit.nil?) { |event, message| report(req, event, message) } or return
        raise Deleted if stored == :deleted && visit
        return if stored == :deleted

        session = @serializer.load(stored.bytes, stored.format, id)
        return quarantine(req, stored) unless session

        visit ? visit.stored = stored : @backend.release(stored)
        session
      end

      def quarantine(req, stored)
        report(req, :quarantined, "a session's bytes cannot be read in this application") if @backend.quarantine(stored)
        nil
      end
    end
  end
end
