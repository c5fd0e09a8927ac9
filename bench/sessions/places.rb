# frozen_string_literal: true

require "fileutils"
require "pstore"
require_relative "contents"
require_relative "../../lib/frugal/session"

module Frugal
  module SessionsBench
    # Places for sessions without an application. Each has `fill(range, bytes)`, `key(number)`, which is not measured, and
    # `visit(key, turn)`, which loads a session, changes it if there is a turn, and commits it.
    module Places
      LIFETIME = 30 * 86_400 # seconds

      # @param kind [String] pstore, files, redis or sqlite
      # @param where [String] a folder, or the URL of a Redis server with a store's name
      # @raise [UsageError] if a gem is missing
      def self.open(kind, where)
        case kind
        when "pstore" then PStorePlace.new(where)
        when "files" then FilesPlace.new(Session::FileBackend.new(where, lifetime: LIFETIME))
        when "redis" then RedisPlace.new(Session::RedisBackend.new(where), where)
        else
          FileUtils.mkdir_p(where)
          FrugalPlace.new(Session::SQLiteBackend.new(File.join(where, "sessions.sqlite")))
        end
      end
    end

    # A PStore for each session, all in one directory. The session is loaded and committed in one transaction.
    class PStorePlace
      def initialize(folder)
        @folder = folder
        FileUtils.mkdir_p(folder)
      end

      # Writes PStore's format directly, because this is not measured.
      def fill(range, bytes)
        range.each do |number|
          contents = Marshal.dump({ "hash" => Contents.session(number, bytes) })
          File.binwrite(key(number), contents)
        end
      end

      def key(number) = "#{@folder}/sess_#{Contents.id(number)}"

      def visit(key, turn)
        PStore.new(key).transaction do |store|
          session = store["hash"].dup
          session["n"] = 1_000_000 + turn if turn
          store["hash"] = session
        end
      end
    end

    # A backend of frugal's sessions.
    class FrugalPlace
      def initialize(backend)
        @backend = backend
        @serializer = Session::Serializer.new
      end

      def fill(range, bytes)
        range.each do |number|
          id = Contents.private_id(number)
          @backend.create(id, @serializer.dump(Contents.session(number, bytes), id), @serializer.number, Places::LIFETIME)
        end
      end

      def key(number) = Contents.private_id(number)

      # As the middleware does it.
      def visit(id, turn)
        stored = @backend.load(id, true) { |*event| raise event.inspect } or raise "session #{id} is missing"
        session = @serializer.load(stored.bytes, stored.format, id)
        session["n"] = 1_000_000 + turn if turn
        bytes = @serializer.dump(session, id)
        return if bytes == stored.bytes

        @backend.commit(stored, bytes, @serializer.number, Places::LIFETIME) { raise "it was changed meanwhile" }
      ensure
        @backend.release(stored) if stored
      end
    end

    # Saves many sessions without a look at expired ones.
    class FilesPlace < FrugalPlace
      def fill(range, bytes)
        range.each do |number|
          id = Contents.private_id(number)
          session = @serializer.dump(Contents.session(number, bytes), id)
          @backend.entries.update(Entries.digest(id)) do |handle|
            handle.write(session, serializer: @serializer.number, idle: Places::LIFETIME)
          end
        end
      end
    end

    # Sends many sessions at once.
    class RedisPlace < FrugalPlace
      BATCH = 500

      def initialize(backend, url)
        super(backend)
        @client = RedisClient.config(url: url[/[^?]+/]).new_client
      end

      def fill(range, bytes)
        range.each_slice(BATCH) do |numbers|
          @client.pipelined { |pipeline| numbers.each { |number| pipeline.call("SET", *pair(number, bytes)) } }
        end
      end

      private

      def pair(number, bytes)
        id = Contents.private_id(number)
        session = @serializer.dump(Contents.session(number, bytes), id)
        [@backend.instance_variable_get(:@names).of("session", Digest::SHA256.hexdigest(id)),
         Session::Envelope.pack(session, @serializer.number, Places::LIFETIME, "0" * 16), "EX", Places::LIFETIME]
      end
    end
  end
end
