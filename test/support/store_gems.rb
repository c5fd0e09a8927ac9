# frozen_string_literal: true

# needs: stores

require "rbconfig"

# Loads the gems that bin/setup --stores has installed for this Ruby, without RubyGems.
module StoreGems
  PURE = "redis-client,redis-cluster-client,connection_pool" # gems without a C extension, which JRuby runs, too
  RUBY, NAMES = RUBY_ENGINE == "ruby" ? ["ruby-#{RbConfig::CONFIG["ruby_version"]}", "{sqlite3,msgpack,#{PURE}}"] : ["ruby-*", "{#{PURE}}"]
  FOLDER = File.expand_path("../../tmp/stores/#{RUBY}", __dir__)
  LIBRARIES = Dir.glob("#{FOLDER}/{gems/#{NAMES}-*/lib,extensions/*/*/#{NAMES}-*}").freeze
  $LOAD_PATH.concat(LIBRARIES - $LOAD_PATH)

  # Whether the gem for a cluster is installed. It changes redis-client, so it is loaded by who uses it.
  CLUSTER = LIBRARIES.any? { |folder| folder.include?("/redis-cluster-client-") }

  # Those of +:sqlite+, +:messagepack+ and +:redis+ whose gems are installed.
  AVAILABLE = { "sqlite3" => :sqlite, "msgpack" => :messagepack, "redis_client" => :redis }.select do |library, _|
    require library
    true
  rescue LoadError
    false
  end.values.freeze
  # The tests fork, and the gem would warn about connections of the parent.
  SQLite3::ForkSafety.suppress_warnings! if AVAILABLE.include?(:sqlite)
end
