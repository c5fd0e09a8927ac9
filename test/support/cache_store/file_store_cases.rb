# frozen_string_literal: true

require_relative "behaviours"

# The control: what stock does with the same questions, and what it loses.
class FileStoreCases < StoreCase
  include Behaviours

  KIND = :file_store

  def test_increments_are_lost
    return if VERSION < 7.1

    lost = Array.new(5) do
      @cache.clear
      in_processes(8) { 150.times { @cache.increment("count") } }
      1200 - @cache.read("count").to_i
    end
    assert_operator lost.max, :>, 0
  end

  class Planted
    class << self
      attr_accessor :loaded
    end

    def marshal_dump = []
    def marshal_load(_) = self.class.loaded = true
  end

  def test_planted_marshal_is_loaded
    @cache.write("key", 1)
    name = Dir.glob(path("cache/**/key")).first
    File.binwrite(name, "\0#{Marshal.dump([Planted.new])}")
    @cache.read("key")
    assert Planted.loaded
  end

  def test_a_key_of_one_point_cannot_be_written
    assert_raises(SystemCallError) { @cache.write(".", 1) }
  end

  # A changed byte of a string is another value.
  def test_a_changed_byte_is_returned
    return if VERSION < 7.1 # all values were marshalled

    @cache.write("key", "value")
    name = Dir.glob(path("cache/**/key")).first
    File.binwrite(name, File.binread(name).sub("value", "VALUE"))
    assert_equal "VALUE", @cache.read("key")
  end
end
