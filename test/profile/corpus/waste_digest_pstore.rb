# frozen_string_literal: true

# waste: needless_digest 9→pstore.rb
# A transaction that changes nothing digests what it has read, and again what it would write.

require "pstore"
store = PStore.new("data.pstore")
store.transaction { store["a"] = "x" * 1000 }
30.times { store.transaction { store["a"].size } }
puts "done"
