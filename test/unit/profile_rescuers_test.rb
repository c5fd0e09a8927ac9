# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile/events"
require "frugal/profile/rescuers"

class ProfileRescuersTest < Frugal::TestCase
  Rescuers = Frugal::Profile::Rescuers
  Frame = Frugal::Profile::Frame
  ENOENT = %w[Errno::ENOENT SystemCallError StandardError Exception].freeze

  def test_the_clause_of_the_method
    assert_equal 3, rescuer("def a\n  File.open(x)\nrescue SystemCallError => e\n  e\nend", 2)
    assert_equal 4, rescuer("begin\n  1\n  File.open(x)\nrescue\n  2\nensure\n  3\nend", 3)
    assert_equal 3, rescuer("list.each do |x|\n  open(x)\nrescue Errno::ENOENT\n  next\nend", 2, label: "block in run")
  end

  def test_a_modifier
    assert_equal 2, rescuer("x = 1\ny = File.read(x) rescue nil", 2)
    assert_equal 1, rescuer("def a = (File.read(x) rescue nil)", 1)
    assert_nil rescuer("x = 1\ny = File.read(x) rescue nil", 1)
  end

  def test_only_classes_that_match
    code = "begin\n  File.open(x)\nrescue KeyError, IOError\n  1\nrescue Errno::EEXIST\n  2\nrescue Errno::ENOENT, TypeError\n  3\nend"
    assert_equal 7, rescuer(code, 2)
    assert_nil rescuer("begin\n  File.open(x)\nrescue KeyError\n  1\nend", 2)
    assert_equal 3, rescuer("begin\n  File.open(x)\nrescue ENOENT\n  1\nend", 2), "in module Errno"
    assert_equal 3, rescuer("begin\n  File.open(x)\nrescue ::Exception\n  1\nend", 2)
    assert_nil rescuer("begin\n  File.open(x)\nrescue\n  1\nend", 2, ancestors: %w[SignalException Exception])
  end

  def test_computed_classes_may_match
    assert_equal 3, rescuer("begin\n  File.open(x)\nrescue *ERRORS\n  1\nend", 2)
    assert_equal 3, rescuer("begin\n  File.open(x)\nrescue KeyError, *errors\n  1\nend", 2)
    assert_equal 3, rescuer("begin\n  File.open(x)\nrescue errors.first\n  1\nend", 2)
  end

  def test_the_innermost_body_that_matches
    code = "begin\n  begin\n    File.open(x)\n  rescue KeyError\n    1\n  end\nrescue\n  2\nend"
    assert_equal 7, rescuer(code, 3)
    assert_equal 4, rescuer(code.sub("KeyError", "IOError, SystemCallError"), 3)
  end

  def test_what_the_clause_itself_raises_is_rescued_further_out
    code = "begin\n  begin\n    a\n  rescue\n    File.open(x)\n  end\nrescue\n  2\nend"
    assert_equal 7, rescuer(code, 5)
    assert_nil rescuer("begin\n  a\nrescue\n  File.open(x)\nelse\n  b(1)\nensure\n  c\nend", 4)
    assert_nil rescuer("begin\n  a\nrescue\n  File.open(x)\nelse\n  b(1)\nensure\n  c\nend", 6)
  end

  def test_a_body_without_tokens
    assert_equal 3, rescuer("def a\n  yield\nrescue\n  1\nend", 2)
    assert_equal 3, rescuer("def a\n  super\nrescue\n  1\nend", 2)
    assert_nil rescuer("def a\nrescue\n  1\nend", 1)
  end

  # When a block is called later, the method that made it is over.
  def test_a_block_is_not_inside_of_the_method_around_it
    code = "def a\n  later do\n    File.open(x)\n  end\nrescue\n  1\nend"
    assert_nil rescuer(code, 3, label: "block in a")
    assert_equal 5, rescuer(code, 2, label: "a")
    inner = "def a\n  later do\n    begin\n      File.open(x)\n    rescue\n      1\n    end\n  end\nend"
    assert_equal 5, rescuer(inner, 4, label: "block in a")
  end

  def test_from_the_innermost_frame_outwards
    inner = write("inner.rb", "def a\n  File.open(x)\nrescue KeyError\n  1\nend")
    outer = write("outer.rb", "begin\n  a\nrescue => e\n  1\nend")
    frames = [Frame.new(nil, nil, "initialize"), Frame.new(inner, 2, "a"), Frame.new("<internal:kernel>", 90, "tap"),
              Frame.new(outer, 2, "<main>")]
    assert_equal "#{outer}:3", Rescuers.new.find(exception(frames)).to_s
  end

  def test_what_cannot_be_read_or_parsed_rescues_nothing
    [write("broken.rb", "begin\n  a(\nrescue\n"), write("bytes.rb", "\xFF\xFE\x00begin\n a\nrescue\nend"), tree, path("missing")].each do |file|
      assert_nil Rescuers.new.find(exception([Frame.new(file, 2, "a")])), file
    end
  end

  def test_a_file_is_read_once
    file = write("a.rb", "begin\n  a\nrescue\n  1\nend")
    rescuers = Rescuers.new
    assert_equal 3, rescuers.find(exception([Frame.new(file, 2, "a")])).line
    File.delete(file)
    assert_equal 3, rescuers.find(exception([Frame.new(file, 2, "a")])).line
  end

  private

  def rescuer(code, line, label: "<main>", ancestors: ENOENT)
    Rescuers::Source.new(code).rescuer(Frame.new("/a.rb", line, label), ancestors)
  end

  def exception(frames, ancestors: ENOENT)
    Frugal::Profile::Raise.new(nil, 1, 0, ancestors.first, ancestors, "ENOENT", Frugal::Profile::Stack.new(frames), frames.size, nil)
  end
end
