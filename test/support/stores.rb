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

  def self.included(test)
    test.extend(Kinds)
  end

  # What a class of tests is made from.
  module Kinds
    def each_kind(&block) = KINDS.each_key(&block)
  end

  def open_store(kind, file = path("store.#{kind}"))
    options = KINDS.fetch(kind)
    missing = options.values_at(:engine, :serializer) & %i[sqlite messagepack] - StoreGems::AVAILABLE
    skip "the gem for #{missing.join(" and ")} is not here: bin/setup --stores" unless missing.empty?
    Frugal::Store.new(file, **options)
  end

  def marshal_kinds = KINDS.select { |_, options| !options[:serializer] && (!options[:engine] || StoreGems::AVAILABLE.include?(:sqlite)) }.keys
end
