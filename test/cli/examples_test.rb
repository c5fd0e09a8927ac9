# frozen_string_literal: true

require_relative "../test_helper"
require "digest"

# The examples give the same build under frugal as under stock Rake: the same files, the
# same output in the same order, and nothing is built that is up to date.
class ExamplesTest < Frugal::TestCase
  LAUNCHER = File.join(ROOT, "libexec/frugal-run")
  SIDES = { stock: [], frugal: ["/bin/sh", LAUNCHER, "run", "--"] }.freeze

  def test_the_c_library_builds_the_same_and_passes_its_tests
    skip_without_compiler
    built = on_both_sides("c-library") do |folder, side|
      result = rake(folder, side, "test")
      assert_includes result.out, " checks, 0 failures\n"
      [result.out, result.err, fingerprint(folder)]
    end

    assert_equal built[:stock], built[:frugal]
    assert_includes built[:stock].last.keys, "build/libkit.a"
  end

  def test_a_header_rebuilds_only_what_includes_it
    skip_without_compiler
    on_both_sides("c-library") do |folder, side|
      rake(folder, side)
      assert_empty executed(rake(folder, side, "--trace")), "nothing to do (#{side})"
      touch(folder, "include/kit/vector.h")

      assert_equal %w[build/src/vector.o build/src/words.o build/libkit.a build/test/main.o build/test/test_memory.o build/kit-tests],
                   executed(rake(folder, side, "--trace")), side
    end
  end

  def test_a_build_without_its_header_lists_is_rebuilt_by_the_rule
    skip_without_compiler
    on_both_sides("c-library") do |folder, side|
      rake(folder, side)
      rake(folder, side, "clean")

      assert_equal 12, executed(rake(folder, side, "--trace")).grep(/\.o\z/).size, side
    end
  end

  def test_the_document_tree_builds_the_same
    built = on_both_sides("document-tree") do |folder, side|
      rake(folder, side, "generate[120]")
      result = rake(folder, side)
      [result.out, result.err, fingerprint(folder)]
    end

    assert_equal built[:stock], built[:frugal]
    assert_equal 5 + 120, built[:stock].last.keys.grep(%r{\Asite/.+\.html\z}).grep_v(/contents/).size
  end

  def test_a_page_rebuilds_itself_and_its_folders_contents
    on_both_sides("document-tree") do |folder, side|
      rake(folder, side)
      assert_equal "", rake(folder, side).out, "nothing to do (#{side})"
      touch(folder, "pages/guide/water.md")

      assert_equal "site/guide/water.html\nsite/guide/contents.html\n", rake(folder, side).out, side
    end
  end

  def test_the_layout_rebuilds_every_page
    on_both_sides("document-tree") do |folder, side|
      built = rake(folder, side).out.lines.grep(/html/)
      touch(folder, "layout.html")

      assert_equal built, rake(folder, side).out.lines, side
    end
  end

  def test_the_pages_have_the_content_of_their_markdown
    folder = copy("document-tree", :stock)
    rake(folder, :stock)
    page = File.read(File.join(folder, "site/reference/temperatures.html"))

    assert_includes page, "<title>Temperatures</title>"
    assert_includes page, '<link rel="stylesheet" href="../style.css">'
    assert_includes page, %(<code class="ruby">celsius = (fahrenheit - 32) * 5 / 9.0\nputs &quot;too hot&quot; if celsius &gt; 80 &amp;&amp;)
    assert_includes File.read(File.join(folder, "site/contents.html")), '<li><a href="guide/contents.html">guide/</a></li>'
  end

  def test_the_drop_in_is_on_in_both
    %w[c-library document-tree].each do |example|
      result = run_command(*SIDES[:frugal], "rake", "-P", chdir: copy(example, :frugal), env: { "FRUGAL_VERBOSE" => "1" })

      assert_match(/^frugal: rake \S+: on/, result.err)
    end
  end

  private

  def skip_without_compiler
    skip "no C compiler is installed" unless system("cc", "--version", out: File::NULL, err: File::NULL)
  end

  # @yield [folder, side] in trees of the same name, as compilers note names
  # @return [Hash{Symbol => Object}] what the block returned for each side
  def on_both_sides(example)
    SIDES.keys.to_h { |side| [side, yield(copy(example, side), side)] }
  end

  # Copies only files that git tracks, not what was built by hand.
  def copy(example, side)
    folder = mkdir("#{side}/#{example}")
    source = File.join(ROOT, "examples", example)
    made = %r{\A(build|site|pages/generated)(/|\z)}
    Dir.glob("**/*", base: source).reject { |name| name.match?(made) || File.directory?(File.join(source, name)) }.each do |name|
      write("#{side}/#{example}/#{name}", File.binread(File.join(source, name)), mtime: Time.at(1_700_000_000))
    end
    folder
  end

  def rake(folder, side, *arguments)
    result = run_command(*SIDES.fetch(side), "rake", *arguments, chdir: folder)
    assert result.success?, result
    result
  end

  # The files that were built, in order, without tasks and folders.
  def executed(result) = result.err.scan(%r{^\*\* Execute (\S+\.\w+|build/kit-tests)$}).flatten - sources_and_headers(result)

  def sources_and_headers(result) = result.err.scan(/^\*\* Execute (\S+\.[ch])$/).flatten

  def touch(folder, name)
    later = Time.now + 2 # later than everything that was just built, even with a coarse clock
    File.utime(later, later, File.join(folder, name))
  end

  def fingerprint(folder)
    Dir.glob("**/*", base: folder).sort.to_h do |name|
      file = File.join(folder, name)
      [name, File.file?(file) ? Digest::SHA256.file(file).hexdigest : :folder]
    end
  end
end
