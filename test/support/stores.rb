# frozen_string_literal: true

require_relative "store_gems"

# Each engine of Frugal::Store with each durability and serializer that is here.
module Stores
  # name => options
  KINDS = {
    file: {}, atomic: { durability: :atomic }, durable: { durability: :durable }, json: { serializer: :json },
    messagepack: { serializer: :messagepack }, sqlite: { engine: :sqlite }, sqlite_durable: { engine: :sqlite, durability: :durable },
    sqlite_json: { engine: :sqlite, serializer: :json }, sqlite_messagepack: { engine: :sqlite, serializer: :messagepack }
  }.freeze

  # @return [Array<Symbol>] gems that a kind needs and that are not here, by what they are for
  def self.missing(kind) = (KINDS.fetch(kind).values_at(:engine, :serializer) & %i[sqlite messagepack]) - StoreGems::AVAILABLE

  HERE = KINDS.keys.select { |kind| missing(kind).empty? }.freeze

  # @return [Frugal::Store]
  def open_store(kind, file = path("store.#{kind}")) = Frugal::Store.new(file, **KINDS.fetch(kind))

  def marshal_kinds = HERE.reject { |kind| KINDS[kind][:serializer] }

  def needs(gem)
    skip "the gem for #{gem} is not here: bin/setup --stores" unless StoreGems::AVAILABLE.include?(gem)
  end
end
