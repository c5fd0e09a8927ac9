# frozen_string_literal: true

require_relative "../test_helper"
require_relative "probe_reference"

# A batch: its answer for each path is that of the probe with the singular name.
class ProbeBatchTest < Frugal::TestCase
  include ProbeReference

  BATCHES.each do |batch, probe|
    namesake = NAMESAKES.fetch(probe)

    define_method("test_#{batch}_in_order_with_misses") do
      paths = Array.new(3000) { |i| i % 3 == 0 ? path("missing#{i}") : write("f#{i}", "x" * i, mtime: Time.at(i)) }
      assert_same_outcome(-> { paths.map { |path| namesake.call(path) unless path.include?("missing") } },
                          -> { Frugal.public_send(batch, paths) })
      assert_equal [], Frugal.public_send(batch, [])
    end

    define_method("test_#{batch}_answer_as_their_probe") do
      symlink("nowhere", "dangling")
      paths = [tree, write("a"), symlink("a", "link"), path("dangling"), "#{path("a")}/below", ""]
      assert_same_outcome(-> { paths.map { |path| Frugal.public_send(probe, path) } },
                          -> { Frugal.public_send(batch, paths) })
    end

    define_method("test_#{batch}_take_what_converts_to_an_array") do
      list = Struct.new(:to_ary).new([write("a", mtime: Time.at(1))])
      assert_same_outcome(-> { [namesake.call(path("a"))] }, -> { Frugal.public_send(batch, list) })
    end

    define_method("test_#{batch}_tell_of_the_first_fault") do
      faulty = Array.new(1500) { |i| i < 1000 ? path("missing") : path("n" * 256 + i.to_s) }
      assert_same_error(->(paths) { namesake.call(paths[1000]) }, faulty) { |paths| Frugal.public_send(batch, paths) }
    end

    define_method("test_#{batch}_when_a_path_changes_the_list") do
      paths = []
      spoiler = Class.new { define_method(:to_path) { paths.clear && "missing" } }.new
      paths.push(spoiler, tree, tree)
      assert_same_outcome(-> { [nil, namesake.call(tree), namesake.call(tree)] },
                          -> { Frugal.public_send(batch, paths) })
    end

    define_method("test_#{batch}_in_many_threads") do
      paths = [tree, path("missing"), write("a", mtime: Time.at(3))] * 500
      expected = comparable(Frugal.public_send(batch, paths))
      threads = Array.new(8) { Thread.new { Array.new(5) { comparable(Frugal.public_send(batch, paths)) } } }
      threads.each { |thread| assert_equal [expected], thread.value.uniq }
    end
  end
end
