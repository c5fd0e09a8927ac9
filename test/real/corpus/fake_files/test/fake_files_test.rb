# frozen_string_literal: true

require "minitest/autorun"
require "fileutils"
require "pstore"
require "find"
require "tmpdir"
require "fakefs/safe"

class FakeFilesTest < Minitest::Test
  def make_files
    FileUtils.mkdir_p("/made/up/deep")
    %w[/made/a.rb /made/up/b.rb /made/up/deep/c.rb].each { |path| File.write(path, path) }
  end

  def test_globs_list_fake_files
    FakeFS do
      make_files
      assert_equal %w[/made/a.rb /made/up/b.rb /made/up/deep/c.rb], Dir.glob("/made/**/*.rb").sort
      assert_equal %w[/made/a.rb], Dir["/made/*.rb"]
    end
    refute File.exist?("/made")
  end

  def test_fileutils_changes_only_fake_files
    FakeFS do
      make_files
      FileUtils.cp_r("/made/up", "/copy")
      FileUtils.rm_rf("/made")
      assert File.exist?("/copy/deep/c.rb")
      refute File.exist?("/made/a.rb")
    end
    refute File.exist?("/copy")
  end

  def test_the_real_methods_are_restored
    FakeFS { make_files }
    Dir.mktmpdir do |folder|
      FileUtils.mkdir_p("#{folder}/x/y")
      File.write("#{folder}/x/y/z.rb", "")
      assert_equal ["#{folder}/x/y/z.rb"], Dir.glob("#{folder}/**/*.rb")
      assert_equal 4, Find.find(folder).count
      store = PStore.new("#{folder}/store")
      store.transaction { store[:a] = 1 }
      assert_equal 1, PStore.new("#{folder}/store").transaction(true) { |s| s[:a] }
    end
  end
end
