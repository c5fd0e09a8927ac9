# frozen_string_literal: true

require "rbconfig"

# The gems that bin/setup --stores has fetched for this Ruby, past RubyGems' knowledge.
module StoreGems
  FOLDER = File.expand_path("../../tmp/stores/#{RUBY_ENGINE}-#{RbConfig::CONFIG["ruby_version"]}", __dir__)
  LIBRARIES = Dir.glob("#{FOLDER}/{gems/{sqlite3,msgpack}-*/lib,extensions/*/*/{sqlite3,msgpack}-*}").freeze
  $LOAD_PATH.concat(LIBRARIES - $LOAD_PATH)

  # What of +:sqlite+ and +:messagepack+ can be tested.
  AVAILABLE = { "sqlite3" => :sqlite, "msgpack" => :messagepack }.select do |library, _|
    require library
    true
  rescue LoadError
    false
  end.values.freeze
  SQLite3::ForkSafety.suppress_warnings! if AVAILABLE.include?(:sqlite) # tests fork; so they would tell of stores that are no longer used
end
