# frozen_string_literal: true

require_relative "redis_server"
require_relative "store_gems"

# Kinds of Frugal::Store: engine, durability and serializer.
module Stores
  # name => options
  KINDS = {
    file: {}, atomic: { durability: :atomic }, durable: { durability: :durable },
    json: { serializer: :json }, messagepack: { serializer: :messagepack },
    sqlite: { engine: :sqlite }, sqlite_durable: { engine: :sqlite, durability: :durable },
    sqlite_json: { engine: :sqlite, serializer: :json },
    sqlite_messagepack: { engine: :sqlite, serializer: :messagepack },
    redis: { engine: :redis, serializer: :marshal }, redis_json: { engine: :redis },
    redis_messagepack: { engine: :redis, serializer: :messagepack },
    redis_secret: { engine: :redis, serializer: :marshal, secret: "a secret of the tests, of 32 bytes" }
  }.freeze

  # What can be tested: the gems that are installed, and +:redis+ only with a server.
  AVAILABLE = StoreGems::AVAILABLE.reject { |name| name == :redis && !RedisServer.available? }.freeze

  # @return [Array<Symbol>] the engine and serializer of a kind that cannot be tested
  def self.missing(kind)
    (KINDS.fetch(kind).values_at(:engine, :serializer) & %i[sqlite messagepack redis]) - AVAILABLE
  end

  # The kinds that can be tested.
  HERE = KINDS.keys.select { |kind| missing(kind).empty? }.freeze

  # A store of :redis has the path as its name.
  #
  # @return [Frugal::Store]
  def open_store(kind, file = path("store.#{kind}"), **options)
    options = { redis: RedisServer.shared.url, **options } if redis?(kind)
    Frugal::Store.new(file, **KINDS.fetch(kind), **options)
  end

  # Kinds with the serializer :marshal that support keys of any type.
  def marshal_kinds
    HERE.select { |kind| serializer(kind) == :marshal && !KINDS[kind].key?(:secret) }
  end

  # Kinds that keep their roots in files.
  def file_kinds = HERE.reject { |kind| redis?(kind) }

  # @return [Symbol]
  def serializer(kind) = KINDS.fetch(kind)[:serializer] || (redis?(kind) ? :json : :marshal)

  def redis?(kind) = KINDS.fetch(kind)[:engine] == :redis

  def needs(name)
    return if AVAILABLE.include?(name)

    skip "no Redis server is installed: bin/setup --redis" if StoreGems::AVAILABLE.include?(name)
    skip "the gem for #{name} is not installed: bin/setup --stores"
  end
end
