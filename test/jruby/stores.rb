# frozen_string_literal: true

# The process of java_store_test.rb. Random transactions on one PStore: after each of them, the file has the bytes that
# Marshal.dump gives for the same Hash, and another object reads the same.
#
#   jruby stores.rb FILE SEED
require "frugal"
require "frugal/pstore"

path, seed = ARGV
random = Random.new(Integer(seed))
plain = [nil, true, false, 0, 5, 122, 123, -123, -124, -129, 255, 70_000, -70_000, (2**30) - 1, -(2**30), 2**30, 2**70, 1.5]
text = -> { "#{"x" * random.rand(300)}#{random.rand(9)}ü" }
symbol = -> { :"symbol_#{random.rand(12)}" }
value = lambda do |depth|
  case random.rand(depth.zero? ? 6 : 8)
  when 0, 1 then plain.sample(random: random)
  when 2 then text.call
  when 3 then text.call.b
  when 4 then (+"ascii").force_encoding("US-ASCII")
  when 5 then symbol.call
  when 6 then Array.new(random.rand(4)) { value.call(depth - 1) }
  else Array.new(random.rand(4)) { [random.rand(2).zero? ? symbol.call : random.rand(99), value.call(depth - 1)] }.to_h
  end
end
copy = ->(object) { Marshal.load(Marshal.dump(object)) } # roots that share an object are dumped with links
keys = [*"a".."e", :a, :b, :c, 1, 2, -3, "ü", "b".b]

store = PStore.new(path)
expected = {}
indexed = 0
400.times do |turn|
  changes = Array.new(1 + random.rand(3)) { [keys.sample(random: random), random.rand(5).zero?, value.call(2)] }
  store.transaction do
    indexed += 1 if Frugal::Store::MarshalTable === store.instance_variable_get(:@table)
    store[keys.sample(random: random)] if random.rand(2).zero?
    changes.each do |key, gone, fresh|
      [store, expected].each { |table| gone ? table.delete(key) : table[key] = copy.call(fresh) }
    end
  end
  found = File.binread(path)
  wanted = Marshal.dump(expected)
  next if found.empty? && expected.empty? # PStore does not write an empty table into an empty file

  abort "turn #{turn}: #{found.inspect} instead of #{wanted.inspect}" unless found == wanted
  other = PStore.new(path)
  read = other.transaction(true) { other.roots.to_h { |key| [key, other[key]] } }
  abort "turn #{turn}: #{read.inspect} instead of #{expected.inspect}" unless read == expected
end
abort "only #{indexed} transactions had an index" if indexed < 200
puts "done"
