# frozen_string_literal: true

require_relative "place"
require_relative "saving"
require_relative "serializer"
require_relative "visit"

module Frugal
  module Session
    # Included in a subclass of rack-session's PersistedSecure: finds, writes and deletes its sessions.
    #
    # A session is opened when the application first uses it, and closed when it is committed or, in any case, when
    # the middleware returns. A failure of the disk, or a bad file, never raises: the request goes on with an empty
    # session.
    module Middleware
      include Saving

      # Options of ours, with their defaults; all others are rack-session's.
      OPTIONS = { dir: nil, sqlite: nil, redis: nil, backend: nil, serializer: :json, secret: nil, lock: true,
                  lock_wait: 5, keep_for: 30 * 86_400, max_bytes: 1 << 24 }.freeze
      # An id is hashed, so its characters do not matter; but nothing that a client made up need be hashed.
      ID = /\A[\x21-\x7e]{1,256}\z/n
      private_constant :ID

      def initialize(app, options = {})
        super
        own = OPTIONS.to_h { |name, default| [name, @default_options.fetch(name, default)] }
        OPTIONS.each_key { |name| @default_options.delete(name) }
        @lock = own[:lock]
        @keep_for = own[:keep_for]
        @serializer = Serializer.new(own[:serializer], own[:secret])
        @backend = Place.of(own, lifetime(@default_options))
        @visit_key = "frugal.session.visit.#{object_id}"
      end

      # @return [Backend]
      attr_reader :backend

      def context(env, *)
        outer = env[@visit_key] # of a request that is called again, with the same environment
        visit = env[@visit_key] = Visit.new(@backend)
        super
      ensure
        finish(visit, env)
        env[@visit_key] = outer || visit
      end

      # @return [Array(SessionId, Hash)] a fresh id for anything but a session that is there
      def find_session(req, sid)
        visit = visit_of(req)
        id = valid_id(sid)
        session = session_of(req, visit, id) if id && !visit&.deleted?(id)
        session ? [sid, session] : [issued(visit), {}]
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

        visit.stored = @backend.load(id, false) { nil } if visit.saved?(id)
        unless visit.stored?(id) || visit.issued?(id)
          sid = issued(visit)
          id = sid.private_id
        end
        save(req, visit, id, session, lifetime(options)) && sid
      rescue StandardError => e # also a serializer's own
        report(req, :not_saved, "a session could not be saved: #{e.message} (#{e.class})")
        visit.replaced = nil # the client keeps it
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

      # A session that is new and empty is not saved, and gets no cookie. One whose place could not be read was reported
      # then; Rack would report it again.
      def commit_session?(req, session, options)
        return false unless super

        visit = visit_of(req)
        return false if visit.nil? || (visit.unreadable && !options[:renew])

        !visit.stored.nil? || !visit.replaced.nil? || !session.empty?
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
        visit&.release # in this request, the turn is taken once
        stored = @backend.load(id, @lock && !visit.nil?) { |event, message| report(req, event, message) } or return
        session = @serializer.load(stored.bytes, stored.format, id)
        return discard(req, stored) unless session

        visit ? visit.stored = stored : @backend.release(stored)
        session
      end

      def discard(req, stored)
        report(req, :quarantined, "a session's bytes cannot be read in this application") if @backend.discard(stored)
        nil
      end

      def finish(visit, env)
        replaced = visit.replaced
        delete(make_request(env), visit, replaced) if replaced && !visit.deleted?(replaced)
        visit.finish
      end
    end
  end
end
