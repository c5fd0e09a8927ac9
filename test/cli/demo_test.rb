# frozen_string_literal: true

require_relative "../test_helper"

# `frugal demo` as a process, on a small site.
class DemoTest < Frugal::TestCase
  LAUNCHER = "#{ROOT}/bin/frugal"

  def test_it_builds_compares_and_removes_everything
    result = demo("--pages", "40")
    assert result.success?, result
    assert_match(/\A(frugal takes more|frugal makes it|no difference in time)/, result.out)
    assert_match(/^file calls +[\d,]+ +[\d,]+/, result.out) if Cost::Strace.available?
    assert_equal "next: in a project of yours, frugal compare -- rake\n", result.out.lines.last
    assert_match(/\AA site of 40 pages is built with Rake/, result.err)
    assert_empty left
  end

  def test_an_interrupt_removes_everything
    [/\A/, /frugal-demo/].each do |moment|
      pid = Process.spawn(environment, LAUNCHER, "demo", "--pages", "5000", out: File::NULL, err: path("said"))
      sleep 0.05 until Dir.children(temporary).any?(moment) || (moment == /\A/ && File.size?(path("said")))
      Process.kill(:INT, pid)
      _, status = Process.wait2(pid)
      assert_equal 130, status.exitstatus, File.read(path("said"))
      assert_empty left
      assert_equal "frugal: interrupted; everything was removed\n", File.read(path("said")).lines.last
    end
  end

  def test_wrong_usage
    { %w[--pages 0] => "--pages 0: must be from 1 to 1000000", %w[--pages x] => "--pages x", %w[rake] => "unexpected argument: rake",
      %w[--frog] => "--frog" }.each do |arguments, words|
      result = demo(*arguments)
      assert_equal [2, ""], [result.exitstatus, result.out], result
      assert_includes result.err, words
      assert_includes result.err, "next: frugal demo --help"
    end
  end

  def test_a_full_disk
    skip "needs root and tmpfs" unless Process.uid.zero? && system("unshare", "-m", "true", err: File::NULL)

    small = mkdir("small")
    script = 'mount -t tmpfs -o size=1m none "$1" && exec env TMPDIR="$1" "$2" demo --pages 2000'
    result = run_command("unshare", "-m", "sh", "-c", script, "sh", small, LAUNCHER, env: environment)
    assert_equal 1, result.exitstatus, result
    assert_includes result.err, "the demo needs 15 MB in #{small}; set TMPDIR to use another folder"
  end

  def test_without_rake
    File.symlink(RUBY, File.join(mkdir("bin"), "ruby"))
    result = run_command(RUBY, "#{ROOT}/exe/frugal", "demo", "--pages", "5", env: environment.merge("PATH" => path("bin")))
    refute result.success?
    assert_match(/frugal: (.+ failed: exit status 127|.*command not found)/, result.err)
    assert_empty left
  end

  private

  # The link to the recorder of a checkout whose path has spaces stays.
  def left = Dir.children(temporary).grep_v(/\Afrugal-recorder-/)

  def temporary = @temporary ||= mkdir("temporary")

  def environment = { "TMPDIR" => temporary, "RUBYOPT" => nil, "NO_COLOR" => "1" }

  def demo(*arguments, env: {}) = run_command(LAUNCHER, "demo", *arguments, env: environment.merge(env))
end
