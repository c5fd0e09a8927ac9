# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/marshal_graphs"
require_relative "../support/object_shape"

# Single roots of a store against Marshal.load of the whole.
#
#   MARSHAL_STORES=20000 MARSHAL_SEED=7 ruby -w -Ilib -Itest test/unit/marshal_index_test.rb
class MarshalIndexTest < Frugal::TestCase
  STORES = Integer(ENV.fetch("MARSHAL_STORES", 100))
  SEED = Integer(ENV.fetch("MARSHAL_SEED", Random.new_seed % 1_000_000_000))

  def setup
    skip "the pure engine has none" unless Frugal::Native.engine_name == :c
  end

  def test_random_stores
    puts "\nmarshal index: MARSHAL_SEED=#{SEED} MARSHAL_STORES=#{STORES}"
    counts = Hash.new(0)
    STORES.times do |number|
      bytes = Marshal.dump(MarshalGraphs.new(SEED + number, plain: number.even?).store)
      counts[number.even?] += 1 if check(bytes, SEED + number)
    end
    assert_operator counts[true], :>, STORES * 0.45, "plain stores have an index"
    assert_operator counts[false], :>, STORES * 0.45, "and others"
  end

  # The dump that it makes for Marshal lives until Marshal has read it.
  alone def test_a_root_is_loaded_while_garbage_is_collected
    value = [*(0..2).map { |number| "x#{number}" * 50_000 }, "y" * 20_000]
    index = index(Marshal.dump({ "a" => value }))
    loads = begin
      GC.stress = true
      Array.new(5) { index.load(0) }
    ensure
      GC.stress = false
    end
    assert_equal [value] * 5, loads
  end

  # Chains of transactions; what they leave in the file is compared with a dump of the whole.
  def test_random_updates
    counts = Hash.new(0)
    STORES.times do |number|
      graphs = MarshalGraphs.new(SEED + number, plain: number % 3 > 0)
      bytes = Marshal.dump(graphs.store)
      next unless (index = index(bytes))

      4.times do
        changes = Changes.random(graphs, index, Random.new(SEED + number))
        patches = changes.apply(index)
        counts[patches.class] += 1
        break unless patches

        bytes = check_update(bytes, changes, index, patches, SEED + number)
      end
    end
    assert_operator counts[Array], :>, counts[NilClass]
  end

  # Texts tell their encoding by the symbol E, which may have come into the store for something else.
  def test_a_store_that_has_the_symbol_e_before_a_text
    index = index(Marshal.dump({ 1 => [:E], 2 => [] }))
    bytes = index.bytes
    { 1 => [{ é: "tête" }, "x"], 0 => [:E, :è], 2 => :é }.each do |root, value|
      changes = root < index.size ? Changes.new({ root => value }, [], {}) : Changes.new({}, [], { 3 => value })
      bytes = check_update(bytes, changes, index, changes.apply(index), root)
    end
  end

  # What Marshal.load refuses has no index, or a root that runs code and is refused too.
  def test_corrupt_and_cut_stores
    random = Random.new(SEED)
    counts = Hash.new(0)
    (STORES / 4).times do |number|
      bytes = Marshal.dump(MarshalGraphs.new(SEED + number, plain: number % 3 > 0).store)
      bytes.bytesize.times { |size| assert_nil index(bytes[0, size]) }
      assert_nil index(bytes + "0")
      40.times { counts[check_corrupt(corrupt(bytes.dup, random))] += 1 }
    end
    assert_operator counts[:loaded], :>, STORES / 4
    assert_operator counts[:without], :>, STORES
  end

  def test_a_class_that_is_gone
    bytes = Marshal.dump({ 1 => MarshalGraphs::Point.new(1, 2), 2 => [1] }).sub("Point", "Gone!")
    index = index(bytes)
    assert_equal [true, false], [index.code?(0), index.code?(1)]
    error = assert_raises(ArgumentError) { Marshal.load(bytes) }
    assert_equal error.message, assert_raises(ArgumentError) { Marshal.load(index.dump_of(0)) }.message
    assert_equal [1], Marshal.load(index.dump_of(1))
  end

  # As Ruby writes them, they run no code and raise nothing; whatever else calls itself so may.
  def test_plain_times
    zones = ["UTC", nil, "+09:00", -3600].map { |zone| Time.at(1_700_000_000, 123_456_789.125, :nsec, in: zone) }
    plain = [*zones, Time.at(0), Time.at(Rational(1, 3)), Time.utc(1900),
             Time.utc(65_000, 12, 31, 23, 59, 59), Time.now, Time.now.utc, Time.gm(2000, "jan", 1, 20, 15, 60)]
    index = index(Marshal.dump([*plain, plain].each_with_index.to_h { |time, number| [number, time] }))
    assert_equal [false, true], [index.code?, index.times?]
    plain.each_with_index { |time, number| assert_equal ObjectShape.of(time), ObjectShape.of(index.load(number)) unless index.group(number) }
    refute index(Marshal.dump({ 1 => "Time" })).times?
    marked = Time.at(1).tap { |time| time.instance_variable_set(:@mark, 1) }
    own = Class.new(Time).tap { |kind| Object.const_set(:TimeOfOurs, kind) }
    [Time.utc(1899), Time.utc(70_000), Time.at(Rational(1, 2**80)), marked, own.at(1)].each do |time|
      assert index(Marshal.dump({ 1 => time })).code?, time.inspect
    end
  ensure
    Object.send(:remove_const, :TimeOfOurs)
  end

  # Time.utc(2000) with one field of its eight bytes that no date has.
  def test_times_of_no_date
    day, second = Marshal.dump(Time.utc(2000))[/\r(.{8})/mn, 1].unpack("VV")
    [[day & ~(1 << 31), second], [day | 15 << 10, second], [day & ~(31 << 5), second], [day | 31, second],
     [day, second | 63 << 26], [day, second | 63 << 20], [day, second | 0xFFFFF]].each do |fields|
      bytes = Marshal.dump({ 1 => Time.utc(2000) }).sub([day, second].pack("VV"), fields.pack("VV"))
      assert index(bytes).code?, fields.inspect
    end
    refute index(Marshal.dump({ 1 => Time.utc(2000) })).code?
  end

  # What real stores share: keys, small floats, the names of time zones.
  def test_what_nobody_can_tell_apart_entangles_no_roots
    time = Time.at(1, in: "UTC")
    zone = Time.at(2)
    table = Array.new(5) { |i| [i, { "key" => 1.5, "at" => time + i, "local" => zone + i, :class => String, "more" => [2**40, "text #{i}"] }] }.to_h
    bytes = Marshal.dump(table)
    assert_includes bytes, "@"
    index = index(bytes)
    assert_equal [nil] * 5, Array.new(5) { |i| index.group(i) }
    table.each do |i, value|
      loaded = Marshal.load(index.dump_of(i))
      assert_equal value, loaded
      assert_equal [time.zone, zone.zone], loaded.values_at("at", "local").map(&:zone), value
    end
    assert_empty index.update(table.keys, [], 0, Marshal.dump(table.keys.map { |i| Marshal.load(index.dump_of(i)) }))
  end

  # What comes with a key that no index has makes the store one without.
  def test_keys_that_come_and_have_no_index
    bytes = Marshal.dump({ "a" => 1 })
    keys = [Time.at(5, in: "UTC"), Time.at(5), 1.5, 2**70, [1], nil, true, { 1 => 2 }, String, MarshalGraphs::Text.new("t"), MarshalGraphs::Packed.new("p"),
            "x".dup.tap { |text| text.instance_variable_set(:@mark, 1) }, "wide".encode("UTF-16LE")]
    keys.each do |key|
      index = index(bytes)
      assert_equal Marshal.load(index.bytes).keys, index.keys, key.inspect if index.update([], [], 1, Marshal.dump([key, 2]))
    end
    assert_equal ["a", "b", :c, 7], index(bytes).tap { |index| index.update([], [], 3, Marshal.dump(["b", 1, :c, 2, 7, 3])) }.keys
  end

  # A root that nobody knows is refused before anything is touched.
  def test_misuse
    index = index(Marshal.dump({ 1 => 2, 3 => 4 }))
    [2, -1].each { |number| assert_raises(IndexError) { index.dump_of(number) } }
    [[1, 0], [1, 1]].each { |numbers| assert_raises(ArgumentError) { index.dump_of(numbers) } }
    assert_raises(IndexError) { index.update([2], [], 0, Marshal.dump([1])) }
    assert_raises(ArgumentError) { index.update([0], [], 0, Marshal.dump([])) }
    assert_raises(ArgumentError) { index.update([0], [], -1, Marshal.dump([1])) }
    assert_raises(TypeError) { index.update([0], nil, 0, Marshal.dump([1])) }
    assert_raises(TypeError) { Frugal::Native.engine::MarshalIndex.new(nil) }
    assert_equal [[6, "i\n"]], index.update([0], [], 0, Marshal.dump([5]))
    assert_nil index.update([0, 1], [], 0, Marshal.dump([[]] * 2)), "one object in two roots"
    assert_raises(RuntimeError) { index.size }
  end

  # No code of a caller's runs between a look at an index and what is done with it.
  def test_what_would_change_the_index_meanwhile
    bytes = Marshal.dump((0...300).to_h { |number| [number, ["text #{number}"]] })
    values = Marshal.dump(["new"])
    answers = %i[to_int to_str].map do |conversion|
      index = index(bytes)
      argument = Object.new
      argument.define_singleton_method(conversion) do
        index.update([], (1...300).to_a, 0, Marshal.dump([]))
        conversion == :to_int ? 0 : values
      end
      assert_raises(IndexError, TypeError) { conversion == :to_int ? index.update([299, argument], [], 0, values) : index.update([299], [], 0, argument) }.class
    end
    assert_equal [TypeError, IndexError], answers
    assert_raises(TypeError) { index(bytes).span("1") }
  end

  # Ruby gives a frozen string of a class of its own the bytes of another one.
  def test_strings_of_a_class_of_their_own
    table = (0...300).to_h { |number| [number, "text #{number}"] }
    bytes = Class.new(String).new(Marshal.dump(table)).freeze
    index = index(bytes)
    assert_same bytes, -bytes
    GC.start
    assert_equal table.keys, index.keys
    refute_same bytes, index.bytes
  end

  alone def test_under_gc_stress
    bytes = Marshal.dump({ "a" => ["x"], :b => { "k" => 1 }, 3 => nil })
    GC.stress = true
    index = index(bytes)
    answers = [index.keys, index.find("a".dup), Marshal.load(index.dump_of([0, 1])), index.update([0], [2], 1, Marshal.dump(["y", "key", "z"])), index.find([])]
    GC.stress = false
    assert_equal [["a", :b, 3], 0, [["x"], { "k" => 1 }]], answers.first(3)
    assert_equal({ "a" => "y", :b => { "k" => 1 }, "key" => "z" }, Marshal.load(index.bytes))
    assert_equal index.bytes, bytes[0, answers[3][0][0]] + answers[3][0][1]
  ensure
    GC.stress = false
  end

  def test_what_has_no_index
    ring = []
    ring << ring
    hash = { 1 => 2 }
    hash[:self] = hash
    [[], nil, 1, Hash.new(0), { [1] => 2 }, { 1.5 => 2 }, { nil => 1 }, { 2**40 => 1 }, {}.compare_by_identity.update("a" => 1), hash,
     Array.new(600).inject { |inner| [inner] }.then { |deep| { 1 => deep } }].each { |object| assert_nil index(Marshal.dump(object)), object.inspect[0, 80] }
    ["", "\4", "\4\b", "\4\b{", "\4\t{\0", "\3\b{\0", "--- {}\n", "\4\b{\6i\6i\6i\6", "\4\b{\7i\6i\6i\6i\7", "\4\b{\4\xFF\xFF\xFF\xFF",
     "\4\b{\6i\6\"\4\xFF\xFF\xFF\x7F", "\4\b{\6i\6[\xFA", "\4\b{\6i\6@\6", "\4\b{\6i\6;\0"].each { |bytes| assert_nil index(bytes.b), bytes.inspect }
    assert index(Marshal.dump({ 1 => ring }))
    assert index(Marshal.dump({}))
  end

  # An encoding is part of a key unless its text is ASCII.
  def test_keys_are_found_as_a_hash_finds_them
    keys = ["a", :a, 1, -1, "é", :é, "\xC3\xA9".b, "", :"", "é".encode("UTF-16LE").b, 2**30 - 1, -(2**30)]
    table = keys.each_with_index.to_h
    index = index(Marshal.dump(table))
    asked = keys + keys.grep(String).flat_map { |key| %w[US-ASCII BINARY UTF-8 UTF-16LE Shift_JIS].map { |name| key.dup.force_encoding(name) } } +
            ["b", :b, 2, 1.0, 2**70, nil, [1], Class.new(String).new("a"), Object.new, Struct.new(:a).new("a")]
    asked.each { |key| table[key] ? assert_equal(table[key], index.find(key), key.inspect) : assert_nil(index.find(key), key.inspect) }
    assert_equal keys, index.keys
    assert_equal keys.map { |key| key.encoding unless key.is_a?(Integer) }, index.keys.map { |key| key.encoding unless key.is_a?(Integer) }
    assert(index.keys.grep(String).all?(&:frozen?))
  end

  private

  def corrupt(bytes, random)
    (1 + random.rand(3)).times do
      at = random.rand(bytes.bytesize)
      case random.rand(4)
      when 0 then bytes.setbyte(at, random.rand(256))
      when 1 then bytes.setbyte(at, (bytes.getbyte(at) + [-1, 1].sample(random: random)) % 256)
      when 2 then bytes[at, 1] = ""
      else bytes[at, 0] = bytes[random.rand(bytes.bytesize), 1 + random.rand(6)]
      end
    end
    bytes
  end

  # Marshal.load is only asked where there is an index: of other bytes it may ask for all memory.
  # It stops at the first fault of the whole; a group of roots comes to its own faults in another order.
  def check_corrupt(bytes)
    index = index(bytes) or return :without
    begin
      Marshal.load(bytes)
    rescue StandardError => e
      roots = Array.new(index.size) { |root| root }.select { |root| index.code?(root) }
      assert_includes faults(index, roots), e.class, bytes.inspect
      return :raised
    end
    check(bytes, bytes.inspect)
    :loaded
  end

  def faults(index, roots)
    roots.filter_map do |root|
      Marshal.load(index.dump_of(index.group(root) || root))
      nil
    rescue StandardError => e
      e.class
    end
  end

  # What a transaction does to a store: new values, roots that go, pairs that come.
  Changes = Struct.new(:changed, :removed, :added) do
    def self.random(graphs, index, random)
      numbers = Array.new(index.size) { |number| number }.shuffle(random: random)
      few = ->(most) { random.rand(2).zero? ? 0 : random.rand(most) }
      changed = numbers.shift(few.call(4)).to_h { |number| [number, random.rand(6).zero? ? Marshal.load(index.bytes).values[number] : graphs.value(0)] }
      added = Array.new(few.call(3)) { graphs.key }.uniq.reject { |key| index.find(key) }.to_h { |key| [key, graphs.value(0)] }
      new(changed, numbers.shift(few.call(3)).sort, added)
    end

    def apply(index) = index.update(changed.keys, removed, added.size, Marshal.dump(changed.values + added.to_a.flatten(1)))

    # As a transaction of stock does it, which loads and dumps the whole.
    def stock(bytes)
      table = Marshal.load(bytes)
      keys = table.keys
      changed.each { |number, value| table[keys[number]] = value }
      removed.each { |number| table.delete(keys[number]) }
      Marshal.load(Marshal.dump(table.update(added)))
    end
  end

  # @return [String] the new bytes
  def check_update(bytes, changes, index, patches, seed)
    file = patches.inject(bytes.b) { |text, (offset, patch)| text.ljust(offset + patch.size, "\0").tap { |longer| longer[offset, patch.size] = patch } }
    file = file[0, index.bytesize]
    assert_equal index.bytes, file, seed
    assert_equal ObjectShape.of(changes.stock(bytes)), ObjectShape.of(Marshal.load(file)), "#{seed}: #{changes}"
    fresh = check(file, seed)
    assert fresh, seed
    fresh.size.times do |root|
      assert_equal fresh.span(root), index.span(root)
      assert_equal fresh.dump_of(root), index.dump_of(root), seed unless index.group(root)
      assert_empty (fresh.group(root) || [root]) - (index.group(root) || [root]), seed
    end
    assert_equal fresh.keys, index.keys, seed
    file
  end

  def index(bytes) = Frugal::Native.engine::MarshalIndex.new(bytes)

  # @return [MarshalIndex, nil] where there is one, each of its roots is that of the whole
  def check(bytes, seed = nil)
    return unless (index = index(bytes))

    whole = Marshal.load(bytes)
    assert_equal whole.size, index.size, seed
    assert_equal whole.keys.map { |key| ObjectShape.of(key) }, index.keys.map { |key| ObjectShape.of(key) }, seed
    whole.each_with_index do |(key, value), root|
      assert_equal root, index.find(key), seed
      group = index.group(root)
      if group
        values = whole.values.values_at(*group)
        assert_equal ObjectShape.of(values), ObjectShape.of(Marshal.load(index.dump_of(group))), seed
      else
        assert_equal ObjectShape.of(value), ObjectShape.of(Marshal.load(index.dump_of(root))), "#{seed}: #{key.inspect}"
      end
    end
    check_groups(whole.values, index, seed)
    index
  end

  # Roots that share an object are of one group.
  def check_groups(values, index, seed)
    owners = {}.compare_by_identity
    values.each_with_index do |value, root|
      ObjectShape.objects(value).each_key do |object|
        other = (owners[object] ||= root)
        assert_includes index.group(root) || [root], other, "#{seed}: #{object.inspect}"
      end
    end
  end
end
