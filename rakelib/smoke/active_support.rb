# frozen_string_literal: true

# Requires: logger active_support active_support/cache

cache = ActiveSupport::Cache::FileStore.new("cache")
cache.write("a", 1)
cache.read("a") == 1 or abort "the entry is not there"
cache.read("b").nil? or abort "an entry that nobody wrote"
