# frozen_string_literal: true

module Frugal
  module Session
    # The state of one request's session. `stored` is open until the session is committed, or the request ends.
    class Visit
      # @return [Backend::Stored, nil]
      attr_reader :stored

      # @return [Object, nil] the id of a session that could not be read, or that was deleted while this request waited
      #   for it: such a session is not written
      attr_accessor :unreadable

      # @return [Object, nil] the id of a session that was deleted while this request waited for it
      attr_accessor :deleted_meanwhile

      # @return [Object, nil] the id of a session that is deleted at the end, unless the new session cannot be saved
      attr_accessor :replaced

      def initialize(backend)
        @backend = backend
        @issued = []
        @saved = []
        @deleted = []
        @finished = false
      end

      def stored=(stored)
        release
        @stored = stored
      end

      # @return [Boolean] whether this is the session that was loaded
      def stored?(id) = !@stored.nil? && @stored.id == id

      # Remembers an id that was generated in this request: only such an id may become a new session.
      def issue(id)
        @issued << id
      end

      def issued?(id) = @issued.include?(id)

      # Remembers an id whose session was saved: a second commit in this request opens it again. If a session will be
      # deleted at the end, the turn is kept until then.
      def saved(id)
        release unless @replaced
        @saved << id
      end

      def saved?(id) = @saved.include?(id) && !issued?(id) && !stored?(id)

      def delete(id)
        release if stored?(id)
        @deleted << id
      end

      def deleted?(id) = @deleted.include?(id)

      def release
        stored = @stored
        @stored = nil
        @backend.release(stored) if stored
      end

      def finish
        @finished = true
        release
      end

      # The response body may still load the session after the request has ended.
      def finished? = @finished
    end
  end
end
