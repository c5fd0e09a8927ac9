# frozen_string_literal: true

require_relative "../test_helper"

# `frugal run` loads bytecode that was compiled for this Ruby and this folder, from a source
# that has not changed since. Otherwise it loads the source.
class BytecodeTest < Frugal::TestCase
  FOLDER = "lib/frugal/native/#{Frugal::Platform::ABI}"
  FIND = 'require "find"; Find.find("lib/frugal/autorun") { |file| puts file }; ' \
         "print Frugal::Dropin.status.count { |one| one.state == :on }"

  def setup
    super
    skip "only MRI has bytecode" unless RUBY_ENGINE == "ruby"

    %w[lib ext].each { |folder| FileUtils.cp_r("#{ROOT}/#{folder}", tree) }
    make
  end

  def test_an_unchanged_source_is_not_read
    assert_equal %w[autorun.rb frugal.iseq], opened
  end

  # A container often has no locale.
  def test_made_in_the_c_locale
    File.unlink(path("#{FOLDER}/frugal.iseq"))
    make("LC_ALL" => "C")
    assert_equal %w[autorun.rb frugal.iseq], opened
  end

  def test_a_changed_source_is_read
    source = path("lib/frugal/dropin/find.rb")
    File.write(source, "$stderr.puts 'changed'\n", mode: "a")
    assert_equal "changed\n", walk.err
    make
    assert_equal ["changed\n", %w[autorun.rb frugal.iseq]], [walk.err, opened]
  end

  # The image of a container stores times in seconds. A source whose time is a second later has changed.
  def test_times_without_a_fraction_of_a_second
    source = path("lib/frugal/dropin/find.rb")
    time = File.mtime(source)
    File.utime(time, Time.at(time.to_i), source)
    assert_equal %w[autorun.rb frugal.iseq], opened
    File.utime(time, Time.at(time.to_i + 1), source)
    assert_equal %w[autorun.rb find.rb frugal.iseq], opened.sort
  end

  def test_bytecode_of_another_folder_is_not_used
    File.rename(path("lib"), path("moved"))
    assert_includes opened("moved"), "watcher.rb"
    assert_equal "lib", path("lib")[-3..]
  end

  # A truncated file is an interrupted copy. A different key is that of another Ruby.
  def test_truncated_and_foreign_bytecode_is_not_used
    file = path("#{FOLDER}/frugal.iseq")
    complete = File.binread(file)
    key = complete.index("\n") + 1
    sections, start = complete[key, 16].unpack("Q>2")
    lengths = [0, 3, key - 1, key, key + 5, key + 16, key + 16 + start / 2, key + 16 + start, sections - 1, sections, sections + 7,
               complete.size / 2]
    foreign = [complete.sub("frugal", "Frugal"), complete.sub(RUBY_REVISION, "9" * RUBY_REVISION.size), "frugal bytecode\n" * 9]
    [*lengths.map { |length| complete[0, length] }, *foreign].each do |bytes|
      File.binwrite(file, bytes)
      assert_equal expected, walk.then { |result| [result.out, result.err] }, bytes.size
    end
  end

  # The bytecode file is replaced while a program runs that has read the table of the former one.
  def test_a_replacement_while_a_program_runs
    script = %(system(RbConfig.ruby, "ext/frugal/bytecode.rb"); #{FIND})
    result = run_command(RUBY, "-w", "-r#{path("lib/frugal/autorun.rb")}", "-rrbconfig", "-e", script,
                         env: { "RUBYOPT" => nil }, chdir: tree)
    assert_equal expected, [result.out, result.err]
  end

  def test_a_bytecode_file_that_cannot_be_written
    File.unlink(path("#{FOLDER}/frugal.iseq"))
    mkdir("#{FOLDER}/frugal.iseq")
    result = run_command(RUBY, path("ext/frugal/bytecode.rb"), env: { "RUBYOPT" => nil })
    assert_equal 1, result.exitstatus
    assert_match(/\Afrugal: cannot write the bytecode: .+\n\z/, result.err)
    assert_equal expected, walk.then { |result| [result.out, result.err] }
  end

  private

  def make(env = {})
    result = run_command(RUBY, "-w", path("ext/frugal/bytecode.rb"), env: { "RUBYOPT" => nil, "FRUGAL" => nil, **env })
    assert result.success?, result
    assert_empty result.err
  end

  def walk(lib = "lib")
    run_command(RUBY, "-w", "-r#{path("#{lib}/frugal/autorun.rb")}", "-e", FIND, env: { "RUBYOPT" => nil }, chdir: tree)
  end

  def expected = ["lib/frugal/autorun\n#{Dir.children("#{LIB}/frugal/autorun").sort.map { |name| "lib/frugal/autorun/#{name}\n" }.join}1", ""]

  # @return [Array<String>] the files of frugal that a process opens, without the library
  def opened(lib = "lib")
    skip "needs strace" unless Cost::Strace.available?

    run_command("strace", "-f", "-e", "trace=openat", "-o", path("trace"), RUBY,
                "-r#{path("#{lib}/frugal/autorun.rb")}", "-e", FIND, env: { "RUBYOPT" => nil }, chdir: tree)
    File.read(path("trace")).scan(%r{"#{Regexp.escape(tree)}/#{lib}/[^"]*/([^"/]+\.(?:rb|iseq))"}).flatten.uniq - ["constant.rb"] # FIND names Frugal
  end
end
