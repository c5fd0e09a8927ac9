# frozen_string_literal: true

# Reads entries of ActiveSupport's FileStore, all of them present. Stock asks whether the file exists, then reads it;
# the change reads it, and rescues a miss.
require "active_support"
require "active_support/cache"

side = ARGV.fetch(0)
size = ARGV.fetch(1).to_i
store = ActiveSupport::Cache::FileStore.new("cache")
keys = Array.new(200) { |number| "key-#{number}" }
if side == "prepare"
  keys.each { |key| store.write(key, "x" * 500) }
  return
end

if side == "changed"
  ActiveSupport::Cache::FileStore.class_eval do
    private

    def read_serialized_entry(key, **)
      File.binread(key)
    rescue Errno::ENOENT
      nil
    end
  end
end
(size / keys.size).times { keys.each { |key| store.read(key) } }
