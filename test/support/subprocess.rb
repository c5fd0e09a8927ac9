# frozen_string_literal: true

require "open3"
require "rbconfig"

# Real processes, with what they said.
#
#   result = run_ruby("-e", "warn Frugal.mtime('x').inspect", chdir: tree)
#   assert result.success?, result
#   assert_equal "nil\n", result.err
module Subprocess
  # JRuby's own name of itself is none that the system could start.
  RUBY = RUBY_ENGINE == "jruby" ? File.expand_path("jruby", __dir__) : RbConfig.ruby
  LIB = File.expand_path("../../lib", __dir__)
  RACTOR_VALUE = "-r#{__dir__}/ractor_value.rb"

  # What a finished process left. As a failure message it shows all of it.
  Result = Struct.new(:argv, :out, :err, :status) do
    def success? = status.success?

    # @return [Integer, nil] nil where a signal ended it
    def exitstatus = status.exitstatus

    def to_s
      "#{argv.join(" ")}\n#{status}\n-- out --\n#{out}\n-- err --\n#{err}"
    end
  end

  # Runs a command to its end; past +timeout+ seconds it is killed, with its
  # children, and the test fails.
  #
  # @param env [Hash{String => String, nil}] added to ours; nil takes away
  # @param options [Hash] of Process.spawn
  # @return [Result]
  def run_command(*argv, env: {}, chdir: Dir.pwd, stdin: "", timeout: 120, **options)
    program = [argv.first, argv.first] # so that no shell reads it, spaces and all
    Open3.popen3(env, program, *argv.drop(1), chdir: chdir, pgroup: true, **options) do |input, out, err, process|
      readers = [out, err].map { |io| Thread.new { io.read }.tap { |reader| reader.report_on_exception = false } }
      feed(input, stdin)
      kill_group(process, argv, timeout) unless [process, *readers].all? { |thread| thread.join(timeout) }
      Result.new(argv, *readers.map(&:value), process.value)
    end
  end

  # Runs Ruby with frugal on its load path, warnings on, frugal itself loaded.
  #
  # @return [Result]
  def run_ruby(*args, **options)
    run_command(RUBY, "-w", "-I", LIB, "-rfrugal", *args, **options)
  end

  # Runs a block in a fork of this process.
  #
  # @return [Object] what the block answers, or the message of its error
  def in_process
    out, answer = IO.pipe(binmode: true)
    pid = fork do
      answer.write(Marshal.dump(yield))
    rescue Exception => error # rubocop:disable Lint/RescueException -- a failed assertion is no StandardError
      answer.write(Marshal.dump(error.message))
    ensure
      exit!
    end
    answer.close
    Process.wait(pid)
    Marshal.load(out.read)
  end

  private

  def kill_group(process, argv, timeout)
    Process.kill(:KILL, -process.pid)
    flunk("still running after #{timeout} s: #{argv.join(" ")}")
  end

  def feed(input, text)
    input.write(text)
  rescue Errno::EPIPE
    nil # the child does not read its standard input
  ensure
    input.close
  end
end
