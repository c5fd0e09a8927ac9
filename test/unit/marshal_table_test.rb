# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/marshal_graphs"
require_relative "../support/object_shape"
require "frugal/store/file/marshal_roots"

# Compares the table of a transaction with the Hash of the same file: random stores, chains of
# transactions, and what they write to the file.
#
#   MARSHAL_STORES=20000 MARSHAL_SEED=7 ruby -w -Ilib -Itest test/unit/marshal_table_test.rb
class MarshalTableTest < Frugal::TestCase
  STORES = Integer(ENV.fetch("MARSHAL_STORES", 60))
  SEED = Integer(ENV.fetch("MARSHAL_SEED", Random.new_seed % 1_000_000_000))
  Roots = Frugal::Store::MarshalRoots

  def setup
    skip "the pure engine loads all roots at once" unless Frugal::Native.engine_name == :c
  end

  def test_random_transactions
    written = 0
    STORES.times do |number|
      @random = Random.new(SEED + number)
      @graphs = MarshalGraphs.new(SEED + number, plain: true)
      bytes = Marshal.dump(@graphs.store).freeze
      roots = Roots.of(bytes)
      3.times do
        break unless Roots === roots

        bytes, roots, changed = transaction(bytes, roots)
        written += 1 if changed
        assert_equal bytes, roots.bytes, seeds if Roots === roots
      end
    end
    assert_operator written, :>, STORES
  end

  # Simple values are dumped without Marshal.
  def test_a_root_that_was_set_to_something_simple
    numbers = [0, 8, 16, 24].flat_map { |bits| [-1, 0, 1].flat_map { |near| [2**bits + near, near - 2**bits] } }
    [nil, true, false, 122, 123, -123, -124, 2**30 - 1, -(2**30), *numbers].uniq.each do |value|
      table = Roots.of(Marshal.dump({ a: "x" })).table
      table[:a] = value
      assert_equal [0, Marshal.dump([value])], table.single
    end
    [2**30, -(2**30) - 1, 2**64, 1.5, :a, "x", []].each do |value|
      table = Roots.of(Marshal.dump({ a: 1 })).table
      table[:a] = value
      assert_nil table.single
    end
  end

  # A program may still use the table after its transaction.
  def test_a_table_of_deleted_roots
    roots = Roots.of(Marshal.dump((0...300).to_h { |number| [number, "text #{number}"] }).freeze)
    table = roots.table
    table[299]
    roots.index.update([], (1...300).to_a, 0, Marshal.dump([]))
    refute table.unchanged?
  end

  # An object that is set in two roots is written once, although both dumps are unchanged.
  def test_two_roots_become_one_object
    bytes = Marshal.dump({ a: +"same", b: +"same" }).freeze
    roots = Roots.of(bytes)
    table = roots.table
    table[:b] = table[:a]
    refute table.unchanged?
    loaded = Marshal.load(apply(bytes, roots.change(table) { bytes }))
    assert_same loaded[:a], loaded[:b]
  end

  # A root is set to a copy: it is equal to another root, but no longer shares objects with it.
  def test_two_roots_become_two_objects
    same = [+"same", +"text"]
    bytes = Marshal.dump({ a: same, b: same, c: 1, d: same.first }).freeze
    roots = Roots.of(bytes)
    table = roots.table
    table[:a] = Marshal.load(Marshal.dump(same))
    loaded = Marshal.load(apply(bytes, roots.change(table) { bytes }))
    refute_same loaded[:a], loaded[:b]
    refute_same loaded[:a].first, loaded[:d]
    assert_same loaded[:b].first, loaded[:d]
  end

  # The key of a root shares objects with its value.
  def test_a_root_that_was_only_read
    [{ "name" => { "name" => ["a"], x: { "name" => 1 } }, b: [{ "name" => [2**40, 1.5, 1.5] }, :name] }].each do |data|
      bytes = Marshal.dump(data).freeze
      roots = Roots.of(bytes)
      table = roots.table
      data.each_key { |key| table[key] }
      assert_nil roots.change(table) { bytes }
      assert_equal bytes, roots.bytes
    end
  end

  def test_other_methods_of_hash
    table = Roots.of(Marshal.dump({ "b" => 1, "a" => "text" })).table
    table["c"] = 2
    table.delete("b")
    assert_equal({ "a" => "text", "c" => 2 }, table.to_hash)
    table.transform_values!(&:to_s)
    assert_equal [%w[a text], %w[c 2]], table.sort
    assert_equal "2", table["c"]
    assert table == { "a" => "text", "c" => "2" }
  end

  private

  def seeds = "MARSHAL_SEED=#{SEED} MARSHAL_STORES=#{STORES}"

  # @return [Array] the bytes afterwards, their roots, and the change or nil
  def transaction(bytes, roots)
    @table = roots.table
    @hash = Marshal.load(bytes)
    @random.rand(6).times { operation }
    assert_equal shape(@hash.keys), shape(@table.keys), seeds
    wanted = shape(Marshal.load(Marshal.dump(@hash)))
    change = roots.change(@table) { bytes }
    after = apply(bytes, change)
    assert_equal wanted, shape(Marshal.load(after)), seeds
    image = change ? change.image : roots
    [after, String === image ? Roots.of(image) : image, change]
  end

  def shape(object) = ObjectShape.of(object)

  def operation
    key = @random.rand(3).zero? || @hash.empty? ? @graphs.key : @hash.keys.sample(random: @random)
    case @random.rand(9)
    when 0, 1 then assert_equal shape(@hash[key]), shape(@table[key]), seeds
    when 2 then assert_equal @hash.key?(key), @table.key?(key), seeds
    when 3 then assert_equal shape(@hash.delete(key)), shape(@table.delete(key)), seeds
    when 4 then put(key, [nil, 1, 300, "text", :a, 1.5].sample(random: @random))
    when 5 then put(key, @graphs.value(2))
    when 6 then share(key, @hash.keys.sample(random: @random))
    else [@hash[key], @table[key]].each { |one| one << "!" if one.instance_of?(Array) && !one.frozen? }
    end
  end

  def share(key, other) = [@hash, @table].each { |one| one[key] = one[other] }

  def put(key, value) = [@hash, @table].each { |one| one[key] = value.frozen? ? value : Marshal.load(Marshal.dump(value)) }

  def apply(bytes, change)
    return bytes unless change&.fresh

    file = bytes.dup
    fresh = change.fresh
    file << "\0" * [change.base + fresh.bytesize - file.bytesize, 0].max
    file[change.base, fresh.bytesize] = fresh
    file[0, change.final_size].freeze
  end
end
