# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/fuzzers"
require_relative "jruby_case"
require "shellwords"

# FileUtils with the drop-in under JRuby: results and errors, system calls, interrupts, redefinitions and a short run of
# the fuzzer, in one JVM under strace; see trees.rb.
class JavaFileutilsTest < JRubyCase
  include Fuzzers

  LISTING = %w[open getdents getdents].freeze
  COPY = %w[open fstat open copy_file_range close close].freeze
  OVER = %w[open fstat stat open copy_file_range close close].freeze
  REMOVE = [*LISTING, *(["unlinkat"] * 5), "close", "unlinkat"].freeze
  # As in the Cost lines of lib/frugal/dropin/fileutils.rb.
  COSTS = {
    "mkdir_p existing" => %w[stat], "mkdir_p new" => %w[stat mkdirat mkdirat mkdirat mkdirat mkdirat],
    "mkdir_p mode" => %w[stat mkdirat fchmodat], "rm_rf missing" => %w[unlinkat], "rm_f missing" => %w[unlinkat],
    "rm_rf file" => %w[unlinkat], "rm_rf tree" => ["unlinkat", *LISTING, *(REMOVE * 3), "close", "unlinkat"],
    "copy tree" => ["lstat", *(%w[open mkdirat open getdents getdents close close] * 4), *(COPY * 15)],
    "copy over" => ["lstat", *(%w[open mkdirat open getdents getdents close close] * 4), *(OVER * 15)],
    "copy file" => ["lstat", *OVER], "copy link" => %w[lstat readlinkat symlinkat]
  }.freeze
  CASES = 40
  LONG = "#{"n/" * 1000}\xFF".b

  def setup
    super
    skip "strace is not installed" unless Cost::Strace.available?
    skip "this libc has no copy_file_range" unless copies_ranges?
  end

  def test_everything
    make_trees
    result = fuzz("fileutils", "--cases", CASES.to_s, "--jruby", command)
    assert result.success?, result
    assert_match(/\Aseed \d+\n#{CASES} cases, \d+ of them too slow, no difference\ndone\n\z/, result.out, result)
    assert_equal(*%w[stock ours].map { |folder| left(path("tree/#{folder}")) })
    assert_equal LONG, File.readlink(path("tree/copied/link")).b # stock cuts and decodes it
    made = calls
    COSTS.each { |name, expected| assert_equal expected.sort, made[name].sort, name }
    assert_equal COSTS["rm_rf tree"], made["rm_rf tree"]
  end

  private

  def command
    Shellwords.join(["strace", "-f", *trace.options, JRUBY, NO_CGROUPS, "-W0", "-I", LIB, "#{__dir__}/trees.rb",
                     path("tree")])
  end

  def trace = Frugal::Bench::MarkedTrace.new(path("trace"), separate_lstat: true)

  # The fewest of three runs, since threads of the JVM open files meanwhile.
  def calls = trace.segments.group_by(&:first).transform_values { |all| all.map(&:last).min_by(&:size) }

  def make_trees
    write("tree/stock/t/b/c/file", "content")
    write("tree/stock/t/b/ä", "x" * 10_000)
    write("tree/stock/t/a", "a")
    write("tree/stock/t/raw/a\xFF", "a name that JRuby cannot reach")
    write("tree/stock/t/raw/y", "y")
    write("tree/stock/t/jar/x!/z", "z")
    symlink("b", "tree/stock/t/link")
    symlink("nothing", "tree/stock/t/dangling")
    symlink("loop", "tree/stock/t/loop")
    File.symlink(LONG, "#{mkdir("tree/links")}/link")
    File.mkfifo(path("tree/stock/t/fifo"))
    system("cp", "-a", path("tree/stock"), path("tree/ours"), exception: true)
  end

  def left(folder)
    run_command("find", ".", "-printf", "%P %y %M %l %n\\n", chdir: folder).out.b.lines.sort
  end

  def copies_ranges?
    write("one", "content")
    measure_cost { FileUtils.cp(path("one"), path("two")) }.syscalls.include?("copy_file_range")
  end
end
