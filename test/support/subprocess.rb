# frozen_string_literal: true

require "open3"
require "rbconfig"
require_relative "hang"
require_relative "jruby_runtime" if RUBY_ENGINE == "jruby"

# Runs real processes and captures their output.
#
#   result = run_ruby("-e", "warn Frugal.mtime('x').inspect", chdir: tree)
#   assert result.success?, result
#   assert_equal "nil\n", result.err
module Subprocess
  # RbConfig.ruby of JRuby is not a path that the system can execute.
  RUBY = RUBY_ENGINE == "jruby" ? File.expand_path("jruby", __dir__) : RbConfig.ruby
  LIB = File.expand_path("../../lib", __dir__)
  RACTOR_VALUE = "-r#{__dir__}/ractor_value.rb"

  # The output and status of a process. As a failure message it shows everything.
  Result = Struct.new(:argv, :out, :err, :status) do
    def success? = status.success?

    # @return [Integer, nil] nil if a signal ended the process
    def exitstatus = status.exitstatus

    def to_s
      "#{argv.join(" ")}\n#{status}\n-- out --\n#{out}\n-- err --\n#{err}"
    end
  end

  # Runs a command. If it hangs (see {Hang}, which looks after `timeout` seconds), the command and its children are
  # killed, and the test fails.
  #
  # @param env [Hash{String => String, nil}] added to the environment of this process; nil removes a variable
  # @param options [Hash] options of Process.spawn
  # @return [Result]
  def run_command(*argv, env: {}, chdir: Dir.pwd, stdin: "", timeout: 120, **options)
    program = [argv.first, argv.first] # this form avoids a shell even for a single word with spaces
    Open3.popen3(env, program, *argv.drop(1), chdir: chdir, pgroup: true, **options) do |input, out, err, process|
      readers = [out, err].map { |io| Thread.new { io.read }.tap { |reader| reader.report_on_exception = false } }
      feed(input, stdin)
      hang = Hang.new(process.pid, timeout)
      [process, *readers].each do |thread|
        hang.found? && kill_group(process, argv, hang) until thread.join(1)
      end
      Result.new(argv, *readers.map(&:value), process.value)
    end
  end

  # Waits for the effect of another process. {TimeLimit} ends it if there is none.
  #
  # @return [Object] the value of the block, once it is true
  def eventually
    sleep 0.01 until (value = yield)
    value
  end

  # The status of a runtime, which is no process.
  RuntimeStatus = Struct.new(:exitstatus) do
    def success? = exitstatus.zero?
  end

  # Runs Ruby with warnings, and with frugal loaded. Under JRuby, this is a runtime of its own, and no process, which
  # would take seconds.
  #
  # @param env [Hash{String => String, nil}] as in {run_command}
  # @return [Result]
  def run_ruby(*args, env: {}, chdir: Dir.pwd, **options)
    arguments = ["-w", "-I", LIB, "-rfrugal", *args]
    return run_command(RUBY, *arguments, env: env, chdir: chdir, **options) unless RUBY_ENGINE == "jruby"

    status, out, err = JRubyRuntime.run(arguments, ENV.to_h.merge(env).compact, chdir)
    Result.new([RUBY, *arguments], *[out, err].map { |text| text.force_encoding("UTF-8") }, RuntimeStatus.new(status))
  end

  # Runs a block in a fork of this process.
  #
  # @return [Object] the value of the block, or the message of its error
  def in_process
    out, answer = IO.pipe(binmode: true)
    pid = fork do
      answer.write(Marshal.dump(yield))
    rescue Exception => e # rubocop:disable Lint/RescueException -- a failed assertion is not a StandardError
      answer.write(Marshal.dump(e.message))
    ensure
      exit!
    end
    answer.close
    Process.wait(pid)
    Marshal.load(out.read)
  end

  private

  def kill_group(process, argv, hang)
    Process.kill(:KILL, -process.pid)
    flunk("still running, and #{hang.reason}: #{argv.join(" ")}")
  end

  def feed(input, text)
    input.write(text)
  rescue Errno::EPIPE
    nil # the child does not read its standard input
  ensure
    input.close
  end
end
