# frozen_string_literal: true

require_relative "merge"

module Frugal
  module Session
    # The part of {Middleware} that saves and deletes sessions, and logs events.
    module Saving
      private

      # @return [Boolean]
      def save(req, visit, id, session, lifetime)
        bytes = @serializer.dump(session, id)
        saved = if visit.stored?(id) then update(req, visit.stored, bytes, lifetime)
                else @backend.create(id, bytes, @serializer.number, lifetime)
                end
        visit.saved(id) if saved
        saved
      end

      # Nothing is written if the bytes are the same.
      def update(req, stored, bytes, lifetime)
        return true if bytes == stored.bytes && lifetime == stored.lifetime && @serializer.number == stored.format

        saved = @backend.commit(stored, bytes, @serializer.number, lifetime) do |current, format|
          Session.count(:merged)
          [merged(stored, bytes, current, format), @serializer.number]
        end
        report(req, :not_saved, "a session was deleted while a request changed it") unless saved
        saved
      end

      def merged(stored, bytes, current, format)
        theirs = @serializer.load(current, format, stored.id) or return bytes
        base = @serializer.load(stored.bytes, stored.format, stored.id)
        mine = @serializer.load(bytes, @serializer.number, stored.id)
        @serializer.dump(@merge.call(base, mine, theirs), stored.id)
      end

      # Deletes the session before its turn ends, so the requests that wait for the turn see that it was deleted.
      #
      # @raise [Unavailable] if the session could not be deleted, so the application does not report a logout
      def delete(req, visit, id)
        @backend.delete(id)
      rescue Unavailable => e
        report(req, :not_saved, "a session could not be deleted: #{e.message}")
        raise
      ensure
        visit&.delete(id)
      end

      # @return [Integer] seconds, in the range of an entry's `idle`, where 0 would mean that it never expires
      def lifetime(options) = (options[:expire_after] || @keep_for).to_i.clamp(1, (1 << 32) - 1)

      # Counts the event, and logs it if it is the first of its kind in a minute.
      def report(req, name, message)
        return unless Session.count(name)

        logger = session_logger(req)
        logger ? logger.warn("frugal: #{message}") : req.get_header("rack.errors")&.puts("frugal: #{message}")
      rescue StandardError
        nil # a failure of the log does not fail the request
      end

      def session_logger(req) = req.get_header("rack.logger")
    end
  end
end
