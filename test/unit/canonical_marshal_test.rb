# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/marshal_graphs"
require "frugal/store/canonical_marshal"

# The same data, the same bytes: random graphs beside copies that are filled in
# another order and share other parts.
#
#   CANONICAL_GRAPHS=20000 CANONICAL_SEED=7 ruby -w -Ilib -Itest test/unit/canonical_marshal_test.rb
class CanonicalMarshalTest < Frugal::TestCase
  Canonical = Frugal::Store::CanonicalMarshal
  GRAPHS = Integer(ENV.fetch("CANONICAL_GRAPHS", 300))
  SEED = Integer(ENV.fetch("CANONICAL_SEED", Random.new_seed % 1_000_000_000))

  def test_shuffled_copies_have_the_same_bytes
    puts "\ncanonical marshal: CANONICAL_SEED=#{SEED} CANONICAL_GRAPHS=#{GRAPHS}"
    canonical = GRAPHS.times.count do |number|
      store = MarshalGraphs.new(SEED + number, plain: number % 4 > 0, tame: number.odd?).store
      next unless Canonical.canonical?(store)

      bytes = Canonical.dump(store)
      random = Random.new(SEED + number)
      2.times { assert_equal bytes, Canonical.dump(shuffled(store, random)), SEED + number }
      loaded = Marshal.load(bytes)
      assert_equal bytes, Canonical.dump(loaded), SEED + number
      assert loaded.inspect.include?("NaN") || loaded == store, SEED + number
      true
    end
    assert_operator canonical, :>, GRAPHS / 4
  end

  def test_order_and_sharing
    text = +"text"
    one = { "b" => [text, text], "a" => { 1 => 1e300, 2 => 2**70 }, :c => MarshalGraphs::Point.new(text, [text]) }
    two = { :c => MarshalGraphs::Point.new(+"text", [+"text"]), "a" => { 2 => 2**69 * 2, 1 => "1e300".to_f }, +"b" => %w[text text].map(&:dup) }
    refute_equal Marshal.dump(one), Marshal.dump(two)
    assert_equal Canonical.dump(one), Canonical.dump(two)
    assert_equal one, Marshal.load(Canonical.dump(one))
    first, second = Marshal.load(Canonical.dump(one))["b"]
    refute_same first, second
  end

  def test_what_differs_has_other_bytes
    samples = [1, 1.0, -0.0, 0.0, "a", "a".b, :a, ["a"], { "a" => nil }, { a: nil }, [], {}, nil, false, String, Kernel,
               MarshalGraphs::Point.new(1), Time.at(1, in: "UTC"), Time.at(1, 1, :nsec, in: "UTC"), Time.at(1, in: "+01:00")]
    bytes = samples.map { |sample| Canonical.dump(sample) }
    assert_equal bytes, bytes.uniq
    samples.compact.each { |sample| assert_equal sample, Marshal.load(Canonical.dump(sample)) }
    assert(samples.all? { |sample| Canonical.canonical?(sample) })
  end

  def test_what_would_be_lost_stands_in_the_way
    ring = []
    ring << ring
    [
      [Hash.new(0), "a Hash with a default"],
      [{}.compare_by_identity, "a Hash with compare_by_identity"],
      [Hash.ruby2_keywords_hash({}), "a Hash with the ruby2_keywords flag"],
      [(+"a").tap { |text| text.instance_variable_set(:@a, 1) }, "a String with instance variables"],
      [[].extend(MarshalGraphs::Marked), "an Array with a module that extends it"],
      [ring, "an Array that contains itself"],
      [MarshalGraphs::Listing.new, "an instance of MarshalGraphs::Listing"],
      [{ Float::NAN => 1, -Float::NAN => 2 }, "a Hash with keys that have equal dumps"],
      [(1..2), "an instance of Range"]
    ].each do |object, obstacle|
      [object, [object], { 1 => object }].each do |holder|
        told = []
        assert_equal Marshal.dump(holder), Canonical.dump(holder) { |why| told << why }
        assert_equal [obstacle], told
        refute Canonical.canonical?(holder)
      end
    end
  end

  def test_what_cannot_be_dumped
    [proc {}, Hash.new { 1 }, Object.new.tap { |object| def object.a = 1 }, Struct.new(:a).new, $stdout].each do |object|
      expected = assert_raises(TypeError) { Marshal.dump([object]) }
      assert_equal expected.message, assert_raises(TypeError) { Canonical.dump([object]) }.message
    end
  end

  private

  # The same data in other objects, or in the same: nobody may tell from the bytes.
  def shuffled(object, random)
    return object if random.rand(4).zero?

    case object
    when String then object.dup
    when Array then object.map { |element| shuffled(element, random) }
    when Hash then object.to_a.shuffle(random: random).to_h { |key, value| [shuffled(key, random), shuffled(value, random)] }
    when Struct then object.dup.tap { |copy| copy.each_pair { |name, value| copy[name] = shuffled(value, random) } }
    when Float, Integer then Marshal.load(Marshal.dump(object))
    when Time then object.dup
    else object
    end
  end
end
