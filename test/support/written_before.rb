# frozen_string_literal: true

# Stores, sessions and caches in each format. An older version of frugal has written those in test/shared/written_before;
# tests read them with this one. To add a version, with a checkout of it in OLD and a Redis server:
#
#   ruby -I OLD/lib test/support/written_before.rb test/shared/written_before/VERSION redis://127.0.0.1:6379/0
#
# Keys of a server are kept as a file of JSON: [name, type, whether it expires, value], with bytes in base64.
module WrittenBefore
  SECRET = "a secret of 32 bytes or more, as now"
  SHORT_SECRET = "one of 16 bytes." # that stores on a server had
  # The options of each store, without its place.
  STORES = {
    "fast" => {}, "durable" => { durability: :durable }, "json" => { serializer: :json }, "messagepack" => { serializer: :messagepack },
    "canonical" => { serializer: :json, canonical: true }, "sqlite" => { engine: :sqlite }, "sqlite-json" => { engine: :sqlite, serializer: :json }
  }.freeze
  ON_A_SERVER = {
    "json" => {}, "messagepack" => { serializer: :messagepack }, "marshal" => { serializer: :marshal },
    "sealed" => { serializer: :marshal, secret: SECRET }, "sealed-short" => { serializer: :marshal, secret: SHORT_SECRET }
  }.freeze
  ROOTS = { "text" => "straße", "list" => [1, 2.5, nil, true], "nested" => { "a" => { "b" => "x" * 300 } } }.freeze
  MARSHAL_ROOTS = { symbol: :value, 7 => 2**70 }.freeze
  # The serializer of each session: its format and secret.
  SESSIONS = { "json" => [:json], "messagepack" => [:messagepack], "marshal" => [:marshal, SECRET] }.freeze
  PLACES = %w[files sqlite redis].freeze
  SESSION = { "user_id" => 42, "flash" => { "notice" => "straße" } }.freeze
  ENTRIES = { "small" => "payload", "large" => "x" * 70_000 }.freeze
  LIFETIME = 2_000_000_000 # seconds, that is 63 years

  class << self
    # @return [Hash] what a store with these options holds
    def roots(options) = options[:serializer].nil? && options[:engine] != :redis || options[:serializer] == :marshal ? ROOTS.merge(MARSHAL_ROOTS) : ROOTS

    # @return [Frugal::Session::Backend]
    def backend(place, folder, url)
      case place
      when "files" then Frugal::Session::FileBackend.new("#{folder}/sessions")
      when "sqlite" then Frugal::Session::SQLiteBackend.new("#{folder}/sessions.sqlite")
      when "redis" then Frugal::Session::RedisBackend.new("#{url}?store=#{name(folder)}-sessions")
      end
    end

    # @return [String] of the keys on a server
    def name(folder) = "written-#{File.basename(folder)}"

    def write(folder, url)
      require "fileutils"
      FileUtils.mkdir_p(folder)
      write_stores(folder, url)
      write_sessions(folder, url)
      { "cache" => nil, "sealed-cache" => SECRET }.each do |place, secret|
        ENTRIES.each { |key, payload| Frugal::Cache::Directory.new("#{folder}/#{place}", secret: secret).write(key, payload) }
      end
      File.write("#{folder}/redis.json", JSON.pretty_generate(keys(folder, url)))
    end

    # Puts the keys of a file back, in place of all of that name.
    def restore(folder, url)
      client = RedisClient.new(url: url)
      client.call("KEYS", "*#{name(folder)}*").then { |keys| client.call("UNLINK", *keys) if keys.any? }
      JSON.parse(File.read("#{folder}/redis.json")).each do |key, type, expires, value|
        value = Array(value).map { |text| text.unpack1("m") }
        command = { "string" => "SET", "hash" => "HSET", "zset" => "ZADD" }.fetch(type)
        client.call(command, key.unpack1("m"), *value)
        client.call("EXPIRE", key.unpack1("m"), LIFETIME) if expires
      end
    end

    private

    def write_stores(folder, url)
      all = STORES.map { |store, options| ["#{folder}/#{store}.store", options] } +
            ON_A_SERVER.map { |store, options| ["#{name(folder)}-#{store}", { engine: :redis, redis: url, **options }] }
      all.each do |place, options|
        store = Frugal::Store.new(place, **options)
        roots(options).each { |key, value| store[key] = value }
        store.write("expires", "late", expires_in: LIFETIME)
        roots(options).each { |key, value| store[key] = value } # both slots of a journal
      end
    end

    def write_sessions(folder, url)
      PLACES.map { |place| backend(place, folder, url) }.each do |backend|
        SESSIONS.each do |id, arguments|
          serializer = Frugal::Session::Serializer.new(*arguments)
          backend.create("2::#{id}", serializer.dump(SESSION, "2::#{id}"), serializer.number, LIFETIME)
        end
      end
    end

    def keys(folder, url)
      client = RedisClient.new(url: url)
      client.call("KEYS", "*#{name(folder)}*").sort.map do |key|
        type = client.call("TYPE", key)
        value = case type
                when "string" then [client.call("GET", key)]
                when "hash" then client.call("HGETALL", key).flatten
                when "zset" then client.call("ZRANGE", key, 0, -1, "WITHSCORES").map(&:reverse).flatten
                else raise "a key of the type #{type}: #{key}"
                end
        [[key].pack("m0"), type, client.call("TTL", key).positive?, value.map { |one| [one.to_s].pack("m0") }]
      end
    end
  end
end

if $PROGRAM_NAME == __FILE__
  require_relative "store_gems"
  %w[json frugal/store frugal/session frugal/cache frugal/cache/directory].each { |file| require file }
  WrittenBefore.write(*ARGV)
end
