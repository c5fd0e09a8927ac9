# frozen_string_literal: true

require "minitest/autorun"
require "mocha/minitest"
require "fileutils"
require "tmpdir"
require_relative "../lib/catalogue"

# An alias chain around Dir.glob, as in old gems.
class << Dir
  alias_method :glob_without_counting, :glob
  attr_accessor :counted

  def glob(*arguments, **options, &block)
    self.counted = counted.to_i + 1
    glob_without_counting(*arguments, **options, &block)
  end
end

class CatalogueTest < Minitest::Test
  def setup
    @folder = Dir.mktmpdir
    FileUtils.mkdir_p("#{@folder}/a/b")
    %w[one.txt a/two.txt a/b/three.txt].each { |name| File.write("#{@folder}/#{name}", name) }
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_stub_with_a_value = Dir.stub(:glob, ["x.txt"]) { assert_equal ["x"], Catalogue.new(@folder).names }

  def test_stub_with_a_block_that_calls_the_real_method
    real = Dir.method(:glob)
    Dir.stub(:glob, ->(*arguments, **options) { real.call(*arguments, **options).sort }) do
      assert_equal %w[three two one], Catalogue.new(@folder).names
    end
  end

  def test_after_a_stub_the_real_method_is_restored
    Dir.stub(:glob, []) { assert_empty Catalogue.new(@folder).all }
    assert_equal 3, Catalogue.new(@folder).all.size
  end

  def test_stub_of_brackets = Dir.stub(:[], ["y"]) { assert_equal ["y"], Catalogue.new(@folder).by_brackets }

  def test_mocha_expects
    Dir.expects(:glob).with("#{@folder}/**/*.txt").returns(["z.txt"])
    assert_equal ["z"], Catalogue.new(@folder).names
  end

  def test_the_alias_chain_counts
    before = Dir.counted.to_i
    3.times { Catalogue.new(@folder).all }
    assert_equal 3, Dir.counted - before
  end

  def test_both_methods_agree = assert_equal(Catalogue.new(@folder).all, Catalogue.new(@folder).by_brackets)
end
