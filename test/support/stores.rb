# frozen_string_literal: true

require_relative "store_gems"

# Kinds of Frugal::Store: engine, durability and serializer.
module Stores
  # name => options
  KINDS = {
    file: {}, atomic: { durability: :atomic }, durable: { durability: :durable },
    json: { serializer: :json }, messagepack: { serializer: :messagepack },
    sqlite: { engine: :sqlite }, sqlite_durable: { engine: :sqlite, durability: :durable },
    sqlite_json: { engine: :sqlite, serializer: :json },
    sqlite_messagepack: { engine: :sqlite, serializer: :messagepack }
  }.freeze

  # @return [Array<Symbol>] the engine and serializer of a kind whose gems are not installed
  def self.missing(kind)
    (KINDS.fetch(kind).values_at(:engine, :serializer) & %i[sqlite messagepack]) - StoreGems::AVAILABLE
  end

  # The kinds whose gems are installed.
  HERE = KINDS.keys.select { |kind| missing(kind).empty? }.freeze

  # @return [Frugal::Store]
  def open_store(kind, file = path("store.#{kind}")) = Frugal::Store.new(file, **KINDS.fetch(kind))

  def marshal_kinds = HERE.reject { |kind| KINDS[kind][:serializer] }

  def needs(gem)
    skip "the gem for #{gem} is not installed: bin/setup --stores" unless StoreGems::AVAILABLE.include?(gem)
  end
end
