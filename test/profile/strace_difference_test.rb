# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recorded_calls"

# The recorder against strace, on random programs: the same calls with the same results, each at the right line.
class StraceDifferenceTest < Frugal::TestCase
  SEED = (ENV["RECORDER_SEED"] || Random.new_seed % 1_000_000).to_i
  PROGRAMS = (ENV["RECORDER_PROGRAMS"] || 6).to_i
  LINES = 60

  # Each takes a file of its own line, an existing file, a directory and a link.
  STATEMENTS = [
    'File.exist?("%<own>s")', 'File.stat("a/file").size', 'File.lstat("link")', 'File.mtime("%<own>s")',
    'File.directory?("a")', 'File.file?("a/b/deep")', 'File.executable?("a/file")', 'test(?r, "a/file")',
    'File.read("a/file")', 'File.readlines("a/file")', 'File.open("%<own>s", "w") { |f| f << "x"; f.fsync }',
    'File.write("%<own>s", "y" * 70_000)', 'File.open("%<own>s") { |f| f.getc }', 'File.realpath("a/b/deep")',
    'Dir.children("a").size', 'Dir.glob("a/**/*").size', 'Dir.mkdir("%<own>s")', 'Dir.exist?("a/b")',
    'Dir.empty?("a")', 'File.rename("%<own>s", "%<own>s.to")', 'File.write("%<own>s", "") && File.unlink("%<own>s")',
    'File.symlink("a", "%<own>s")', 'File.readlink("link")', 'File.link("a/file", "%<own>s")',
    'File.mkfifo("%<own>s")', 'File.chmod(0600, "a/file")', 'File.utime(1, 2, "a/file")', 'File.truncate("a/file", 3)',
    'File.chown(nil, nil, "a/file")', 'File.lchown(nil, nil, "link")', 'File.identical?("a/file", "link")',
    'IO.copy_stream("a/file", "%<own>s")', 'IO.binread("a/file", 2, 1)',
    'File.open("a/file", "r+") { |f| f.flock(File::LOCK_EX); f.seek(2); f.write("q"); f.flock(File::LOCK_UN) }',
    'File.open("a/file") { |f| f.stat; f.pread(1, 0); f.sysread(2); f.rewind }',
    'Dir.chdir("a") { File.exist?("%<own>s") }', 'Thread.new { File.read("a/file") }.join',
    'Fiber.new { File.exist?("%<own>s") }.resume', 'Process.wait(fork { File.exist?("%<own>s") })',
    'Process.wait(fork { File.write("%<own>s", "f"); exit!(1) })', 'system("cat a/file >/dev/null")',
    'system("true", out: "%<own>s")', 'IO.popen(["ls", "a"], &:read)', 'spawn("true", chdir: "a").then { Process.wait(_1) }',
    'eval("File.exist?(\"%<own>s\")")', '[1].each { |x| File.exist?("%<own>s") }', 'require "./%<own>s"',
    'Process.wait(spawn({}, "true", unsetenv_others: true))', "GC.compact", 'load "./a/code.rb"'
  ].freeze

  def setup
    write("a/file", "content")
    write("a/b/deep", "deep")
    write("a/code.rb", "File.exist?('loaded')\n")
    File.symlink("a/file", path("link"))
  end

  PROGRAMS.times do |number|
    define_method("test_program_#{SEED}_#{number}") do
      skip "strace is not installed" unless system("strace", "-V", out: File::NULL, err: File::NULL)
      skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?

      program = program(Random.new(SEED + number))
      seen = RecordedCalls.new(File.realpath(tree), program)
      assert_equal [[], []], seen.differences, "RECORDER_SEED=#{SEED + number} RECORDER_PROGRAMS=1\n#{program}"
      assert_lines(seen.recording, program)
      assert_operator seen.traced.size, :>, LINES / 2
    end
  end

  private

  def program(random)
    lines = Array.new(LINES) do |index|
      "begin; #{STATEMENTS.sample(random: random).gsub("%<own>s", "own#{index + 1}")}; rescue SystemCallError, LoadError; end"
    end
    "#{lines.join("\n")}\n"
  end

  # The path of a line's own file has the line's number. A program of another kind has no lines.
  def assert_lines(recording, program)
    own = recording.calls.select { |call| call.process.ruby && call.path&.match?(%r{/own\d+(?:\.\w+)?\z}) }
    refute_empty own
    wrong = own.reject { |call| line_of(call) == call.path[/own(\d+)/, 1].to_i }
    assert_empty wrong.map { |call| [call.name, call.path, call.stack.frames] }, program
  end

  def line_of(call)
    call.stack.frames.find { |frame| frame.file == "-e" || frame.file&.start_with?("(eval") }&.line.then do |line|
      eval?(call) ? call.stack.frames.find { |frame| frame.file == "-e" }&.line : line
    end
  end

  def eval?(call) = call.site&.file != "-e"
end
