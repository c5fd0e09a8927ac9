# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require_relative "../support/written_before"
require "json"
require "frugal/store"
require "frugal/session"
require "frugal/cache"
require "frugal/cache/directory"

# What older versions of frugal have written is read and changed: stores, sessions and caches of each format, sealed or not.
class WrittenBeforeTest < Frugal::TestCase
  include Stores

  FOLDER = File.join(__dir__, "written_before")
  VERSIONS = Dir.children(FOLDER).sort.freeze

  VERSIONS.each do |version|
    WrittenBefore::STORES.each do |store, options|
      define_method("test_the_store_#{store.tr("-", "_")}_of_#{version}") do
        need(*options.values)
        check_store("#{copy(version)}/#{store}.store", options)
      end
    end

    WrittenBefore::ON_A_SERVER.each do |store, options|
      define_method("test_the_store_#{store.tr("-", "_")}_on_a_server_of_#{version}") do
        need(*options.values)
        restore(version)
        secret = options[:secret] && [WrittenBefore::SECRET, options[:secret]].uniq # a short one is only for reading
        check_store("#{WrittenBefore.name(version)}-#{store}", { engine: :redis, redis: RedisServer.shared.url, **options, secret: secret }.compact)
      end
    end

    WrittenBefore::PLACES.each do |place|
      define_method("test_sessions_in_#{place}_of_#{version}") do
        needs(:sqlite) if place == "sqlite"
        restore(version) if place == "redis"
        backend = WrittenBefore.backend(place, copy(version), (RedisServer.shared.url if place == "redis"))
        sessions = WrittenBefore::SESSIONS
        sessions = sessions.except("messagepack") unless AVAILABLE.include?(:messagepack)
        sessions.each { |id, arguments| check_session(backend, "2::#{id}", arguments) }
      end
    end

    { "cache" => nil, "sealed-cache" => WrittenBefore::SECRET }.each do |place, secret|
      define_method("test_the_#{place.tr("-", "_")}_of_#{version}") do
        cache = Frugal::Cache::Directory.new("#{copy(version)}/#{place}", secret: secret)
        WrittenBefore::ENTRIES.each do |key, payload|
          assert_equal payload, cache.read(key)
          cache.write(key, "changed")
          assert_equal "changed", cache.read(key)
        end
      end
    end
  end

  private

  def need(*options) = (options & %i[sqlite messagepack]).each { |name| needs(name) }

  # git keeps no permissions but those to execute.
  def copy(version)
    FileUtils.cp_r("#{FOLDER}/#{version}", tree)
    path(version).tap { |folder| FileUtils.chmod_R("u=rwX,go=", folder) }
  end

  def restore(version)
    needs(:redis)
    WrittenBefore.restore("#{FOLDER}/#{version}", RedisServer.shared.url)
  end

  def check_store(place, options)
    store = Frugal::Store.new(place, **options)
    expected = WrittenBefore.roots(options).merge("expires" => "late")
    assert_equal expected, contents(store)
    assert_operator store.ttl("expires"), :>, 10**9
    store["text"] = "changed"
    store.delete("list")
    assert_equal expected.merge("text" => "changed").except("list"), contents(Frugal::Store.new(place, **options))
  end

  def contents(store) = store.transaction(true) { store.keys.to_h { |key| [key, store[key]] } }

  def check_session(backend, id, arguments)
    serializer = Frugal::Session::Serializer.new(*arguments)
    stored = backend.load(id, true) { |*event| flunk event.inspect }
    assert_equal WrittenBefore::SESSION, serializer.load(stored.bytes, stored.format, id)
    assert_nil Frugal::Session::Serializer.new(:marshal, "another secret of 32 bytes or more").load(stored.bytes, stored.format, id) if stored.format == 3
    changed = WrittenBefore::SESSION.merge("user_id" => 43)
    backend.commit(stored, serializer.dump(changed, id), serializer.number, 1000) { flunk "nobody else has changed it" }
    backend.release(stored)
    again = backend.load(id, false)
    assert_equal changed, serializer.load(again.bytes, again.format, id)
    backend.release(again)
    backend.delete(id)
    assert_nil backend.load(id, false)
  end
end
