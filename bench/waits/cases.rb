# frozen_string_literal: true

require_relative "reads"
require_relative "storm"
require_relative "../support/redis_server"
require_relative "../support/web_gems"
require_relative "../../lib/frugal/session"
require_relative "../../lib/frugal/store"

module Frugal
  module WaitsBench
    # What many processes wait for, for how long each has it, and how many turns are taken in all.
    module Cases
      Case = Struct.new(:name, :title, :processes, :hold, :turns)

      ALL = [
        Case.new("files", "a session in files", 16, 0.05, 320),
        Case.new("sqlite", "a session in SQLite", 8, 0.02, 320),
        Case.new("redis", "a session on Redis", 16, 0.02, 480),
        Case.new("store", "a root of a store on SQLite", 8, 0.0, 2000)
      ].freeze
      NAMES = [*ALL.map(&:name), Reads::NAME].freeze
      ID = "2::waits"

      # Opens places in a folder, or on a Redis server of its own.
      class Places
        # @param folder [String]
        def initialize(folder)
          @folder = folder
          Bench::WebGems.load(*%w[redis-client sqlite3 connection_pool].select { |name| Bench::WebGems.available?(name) })
        end

        # @return [String, nil] why a case cannot be measured here
        def missing(name)
          return unless name != "files"
          return "Redis is not installed (bin/setup --redis)" if name == "redis" && !Bench::RedisServer.available?

          require(name == "redis" ? "redis_client" : "sqlite3")
          nil
        rescue LoadError => e
          "#{e.message} (bin/setup --webs)"
        end

        # @return [SessionPlace, StorePlace]
        def open(name)
          case name
          when "files" then SessionPlace.new(Session::FileBackend.new("#{@folder}/files"), ID)
          when "sqlite" then SessionPlace.new(Session::SQLiteBackend.new("#{@folder}/sessions.sqlite"), ID)
          when "redis" then SessionPlace.new(Session::RedisBackend.new({ url: redis.url, timeout: 30 }), ID)
          else StorePlace.new(Store.new("#{@folder}/store.sqlite", engine: :sqlite, durability: :atomic))
          end
        end

        def close = @redis&.stop

        private

        def redis = @redis ||= Bench::RedisServer.new.start
      end
    end
  end
end
