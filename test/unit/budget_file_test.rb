# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/budget"
require "yaml"

# The file that `frugal budget --file` reads and writes.
class BudgetFileTest < Frugal::TestCase
  COUNTS = { calls: 20, stats: 12, opens: 3, reads: 4, writes: 1, exceptions: 0 }.freeze

  def test_limits_with_comments_and_spaces
    text = "# head\n\nstats: 12  # two for each file\nexceptions :  0\r\n#opens: 3\nreads: 7"
    assert_equal({ stats: 12, exceptions: 0, reads: 7 }, limits(text))
    assert_equal limits(text), YAML.safe_load(text).transform_keys(&:to_sym), "it is YAML"
  end

  def test_comments_of_any_bytes
    assert_equal({ stats: 1 }, limits("# caf\xE9\nstats: 1 # \xFF\n".b))
    assert_equal "# caf\xE9\nstats: 12 # \xFF\n".b, file("# caf\xE9\nstats: 1 # \xFF\n".b).with(COUNTS).to_s
  end

  def test_errors_name_file_and_line
    { "stats: 1\nstat: 2\n" => "2: unknown limit: stat (available: calls, stats, opens, reads, writes, exceptions)",
      "stats: 1\n\nstats: 2\n" => "3: a second limit for stats",
      "stats 1" => '1: must be a limit such as `stats: 12` (got "stats 1")', " stats: 1" => "1: must be a limit", "stats:1" => "1: must be a limit",
      "stats: -1" => "1: must be a limit", "stats: 1.5" => "1: must be a limit", "stats: 012" => "1: must be a limit",
      "stats: 1_000" => "1: must be a limit", "stats: 1#x" => "1: must be a limit", "{\"stats\": 1}" => "1: must be",
      "stats: \e[2J\xFF".b => "1: must be a limit such as `stats: 12` (got \"stats: \\e[2J\uFFFD\")" }.each do |text, message|
      error = assert_raises(Frugal::UsageError) { file(text) }
      assert error.message.start_with?("#{path("budget.yml")}:#{message}"), "#{text.inspect}: #{error.message}"
    end
  end

  def test_a_file_that_is_something_else
    File.truncate(write("huge"), 1 << 40)
    assert_equal "#{path("huge")}: is larger than 64 KiB, so it is no budget file",
                 assert_raises(Frugal::UsageError) { Frugal::Budget::LimitsFile.read(path("huge")) }.message
    assert_raises(Errno::EISDIR) { Frugal::Budget::LimitsFile.read(tree) }
  end

  # A person chooses which limits are in it.
  def test_new_numbers_for_the_limits_that_it_has
    assert_equal "# x 9\n\nopens: 3  # was 1\r\nstats: 12", file("# x 9\n\nopens: 1  # was 1\r\nstats: 99").with(COUNTS).to_s
  end

  def test_all_limits_where_it_has_none
    new = Frugal::Budget::LimitsFile.fresh("b.yml", ["rake", "a b", "x\ny"])
    assert_empty new.limits
    text = new.with(COUNTS).to_s
    assert_equal <<~'TEXT', text
      # The most that one run of this command may count. `--update` writes the counts of the next run:
      #   frugal budget --file b.yml -- rake 'a b' 'x\ny'
      # What has no line here is not limited.
      calls: 20
      stats: 12
      opens: 3
      reads: 4
      writes: 1
      exceptions: 0
    TEXT
    assert_equal COUNTS, limits(text)
  end

  def test_writing_keeps_mode_and_link_and_leaves_nothing_else
    target = write("folder/target.yml", "stats: 1\n")
    File.chmod(0o640, target)
    link = symlink(target, "link.yml")
    Frugal::Budget::LimitsFile.read(link).with(COUNTS).write
    assert_equal ["stats: 12\n", 0o640, true], [File.read(target), File.stat(target).mode & 0o777, File.symlink?(link)]
    assert_equal %w[target.yml], Dir.children(path("folder"))
  end

  def test_a_reader_finds_one_of_the_two_contents
    name = write("budget.yml", "stats: 1\n")
    old = File.open(name)
    Frugal::Budget::LimitsFile.read(name).with(COUNTS).write
    assert_equal ["stats: 1\n", "stats: 12\n"], [old.read, File.read(name)]
    old.close
  end

  def test_a_failed_write_changes_nothing
    name = write("folder/budget.yml", "stats: 1\n")
    new = Frugal::Budget::LimitsFile.read(name).with(COUNTS)
    File.chmod(0o500, path("folder"))
    as_nobody { assert_raises(Errno::EACCES) { new.write } }
    File.chmod(0o700, path("folder"))
    assert_equal ["stats: 1\n", %w[budget.yml]], [File.read(name), Dir.children(path("folder"))]
  end

  private

  def file(text) = Frugal::Budget::LimitsFile.read(write("budget.yml", text))

  def limits(text) = file(text).limits
end
