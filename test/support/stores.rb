# frozen_string_literal: true

# Each engine of Frugal::Store with each durability and serializer that is here.
module Stores
  GEMS = File.join(Frugal::TestCase::ROOT, "tmp/stores", "#{RUBY_ENGINE}-#{RbConfig::CONFIG["ruby_version"]}")

  # The gems that bin/setup --stores has fetched, without RubyGems' knowledge.
  LIBRARIES = Dir.glob("#{GEMS}/{gems/{sqlite3,msgpack}-*/lib,extensions/*/*/{sqlite3,msgpack}-*}")
  $LOAD_PATH.concat(LIBRARIES - $LOAD_PATH) if RUBY_ENGINE == "ruby"

  AVAILABLE = { "sqlite3" => :sqlite, "msgpack" => :messagepack }.select do |library, _|
    require library
    true
  rescue LoadError
    false
  end.values.freeze

  # name => options
  KINDS = {
    file: {}, atomic: { durability: :atomic }, json: { serializer: :json },
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
    missing = options.values_at(:engine, :serializer) & %i[sqlite messagepack] - AVAILABLE
    skip "the gem for #{missing.join(" and ")} is not here: bin/setup --stores" unless missing.empty?
    Frugal::Store.new(file, **options)
  end

  def marshal_kinds = KINDS.select { |_, options| !options[:serializer] && (!options[:engine] || AVAILABLE.include?(:sqlite)) }.keys
end
