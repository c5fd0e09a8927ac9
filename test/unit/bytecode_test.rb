# frozen_string_literal: true

require_relative "../test_helper"

# What `frugal run` loads, it reads as bytecode: of this very Ruby and folder, of a
# file that has not changed since, and else from the source.
class BytecodeTest < Frugal::TestCase
  FOLDER = "lib/frugal/native/#{Frugal::Native::ABI}"
  FIND = 'require "find"; Find.find("lib/frugal/autorun") { |file| puts file }; print Frugal::Dropin.status.count { |one| one.state == :on }'

  def setup
    super
    skip "bytecode is MRI's" unless RUBY_ENGINE == "ruby"

    %w[lib ext].each { |folder| FileUtils.cp_r("#{ROOT}/#{folder}", tree) }
    make
  end

  def test_what_has_not_changed_is_not_read
    assert_equal %w[autorun.rb frugal.iseq], opened
  end

  def test_a_source_that_has_changed_is_read
    source = path("lib/frugal/dropin/find.rb")
    File.write(source, "$stderr.puts 'changed'\n", mode: "a")
    assert_equal "changed\n", walk.err
    make
    assert_equal ["changed\n", %w[autorun.rb frugal.iseq]], [walk.err, opened]
  end

  # As in an image of a container; but another second is another file.
  def test_times_in_whole_seconds
    source = path("lib/frugal/dropin/find.rb")
    time = File.mtime(source)
    File.utime(time, Time.at(time.to_i), source)
    assert_equal %w[autorun.rb frugal.iseq], opened
    File.utime(time, Time.at(time.to_i + 1), source)
    assert_equal %w[autorun.rb find.rb frugal.iseq], opened.sort
  end

  def test_another_folder
    File.rename(path("lib"), path("moved"))
    assert_includes opened("moved"), "watcher.rb"
    assert_equal "lib", path("lib")[-3..]
  end

  # Each length is that of an interrupted copy; a byte that is different in the key, of another Ruby.
  def test_what_is_not_whole_or_not_ours
    file = path("#{FOLDER}/frugal.iseq")
    whole = File.binread(file)
    key = whole.index("\n") + 1
    table = whole[key, 8].unpack1("Q>")
    lengths = [0, 3, key - 1, key, key + 5, key + 8, key + 8 + table / 2, key + 8 + table - 1, key + 8 + table, key + 8 + table + 7, whole.size / 2]
    [*lengths.map { |length| whole[0, length] }, whole.sub("frugal", "Frugal"), whole.sub(RUBY_VERSION, "9.9.9"), "frugal bytecode\n" * 9].each do |bytes|
      File.binwrite(file, bytes)
      assert_equal expected, walk.then { |result| [result.out, result.err] }, bytes.size
    end
  end

  # A new one takes its place while a program runs: the table in memory is the old one's.
  def test_one_that_is_made_anew_meanwhile
    script = %(system(RbConfig.ruby, "ext/frugal/bytecode.rb"); #{FIND})
    result = run_command(RUBY, "-w", "-r#{path("lib/frugal/autorun.rb")}", "-rrbconfig", "-e", script, env: { "RUBYOPT" => nil }, chdir: tree)
    assert_equal expected, [result.out, result.err]
  end

  def test_where_it_cannot_be_written
    File.unlink(path("#{FOLDER}/frugal.iseq"))
    mkdir("#{FOLDER}/frugal.iseq")
    result = run_command(RUBY, path("ext/frugal/bytecode.rb"), env: { "RUBYOPT" => nil })
    assert_equal 1, result.exitstatus
    assert_match(/\Afrugal: no bytecode: .+\n\z/, result.err)
    assert_equal expected, walk.then { |stock| [stock.out, stock.err] }
  end

  private

  def make
    result = run_command(RUBY, "-w", path("ext/frugal/bytecode.rb"), env: { "RUBYOPT" => nil, "FRUGAL" => nil })
    assert result.success?, result
    assert_empty result.err
  end

  def walk(lib = "lib") = run_command(RUBY, "-w", "-r#{path("#{lib}/frugal/autorun.rb")}", "-e", FIND, env: { "RUBYOPT" => nil }, chdir: tree)

  def expected = ["#{%w[lib/frugal/autorun lib/frugal/autorun/watcher.rb].join("\n")}\n1", ""]

  # @return [Array<String>] files of frugal's that were opened, but for the library
  def opened(lib = "lib")
    skip "needs strace" unless Cost::Strace.available?

    run_command("strace", "-f", "-e", "trace=openat", "-o", path("trace"), RUBY, "-r#{path("#{lib}/frugal/autorun.rb")}", "-e", FIND,
                env: { "RUBYOPT" => nil }, chdir: tree)
    File.read(path("trace")).scan(%r{"#{Regexp.escape(tree)}/#{lib}/[^"]*/([^"/]+\.(?:rb|iseq))"}).flatten.uniq
  end
end
