# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/marshal_graphs"
require_relative "../support/object_shape"

# Single roots of a store against Marshal.load of the whole.
#
#   MARSHAL_STORES=20000 MARSHAL_SEED=7 ruby -w -Ilib -Itest test/unit/marshal_index_test.rb
class MarshalIndexTest < Frugal::TestCase
  STORES = Integer(ENV.fetch("MARSHAL_STORES", 120))
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

  private

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
