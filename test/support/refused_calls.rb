# frozen_string_literal: true

require "fiddle"
require "open3"
require "rbconfig"
require "tempfile"

# Runs a program while strace refuses some of its system calls, and lists the calls that it
# makes. strace is attached when the program has loaded its libraries, before its work.
#
#   program = RefusedCalls::Program.new(%w[-rpstore], 'PStore.new("a").transaction {}')
#   program.calls(folder)                             # => ["flock", "openat", …]
#   program.run(folder, refused: "flock", error: "ENOSYS")
module RefusedCalls
  # The result of a run; `tree` are the files in its folder afterwards.
  Result = Struct.new(:out, :err, :status, :tree, :calls, keyword_init: true) do
    def outcome = [out, status, tree]
  end

  # @return [Boolean] whether strace is installed and can refuse calls
  def self.available?
    return @available if defined?(@available)

    @available = !Open3.capture2e("strace", "-e", "inject=getppid:error=ENOSYS", "true").last.exitstatus.nonzero?
  rescue SystemCallError
    @available = false
  end

  # A Ruby program that loads libraries and then does its work.
  class Program
    READY = "loaded and ready"
    # strace is not the parent of the process, so Yama requires a permission: PR_SET_PTRACER, PR_SET_PTRACER_ANY.
    # The process waits by poll, a call of the VM: a read would be refused if strace attaches just before it.
    WAIT = <<~RUBY
      require "fiddle"
      require "io/wait"
      Fiddle::Function.new(Fiddle::Handle::DEFAULT["prctl"], [Fiddle::TYPE_INT] + [Fiddle::TYPE_LONG] * 4, Fiddle::TYPE_INT)
                      .call(0x59616d61, -1, 0, 0, 0)
      $stdout.sync = true
      puts #{READY.inspect}
      $stdin.wait_readable
    RUBY

    # @param options [Array<String>] of Ruby, which load the libraries
    # @param work [String] Ruby code
    # @param early [Boolean] whether calls are refused from the start of the process. This is
    #   faster for work with many calls, because strace then stops only at the refused ones
    def initialize(options, work, early: false, env: {})
      @options = options
      @work = work
      @early = early
      @env = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL" => nil, "LC_ALL" => "C.UTF-8" }.merge(env)
    end

    # @param folder [String] its working directory
    # @return [Array<String>] names of the system calls of its work
    def calls(folder)
      Tempfile.create("frugal-calls") do |log|
        result = start(folder, ["-c", "-o", log.path])
        raise "the program fails: #{result.err}" unless result.status.zero?

        return File.readlines(log.path).filter_map { |line| line[/^\s*[\d.]+\s.*\s(\w+)$/, 1] }.uniq - ["total"]
      end
    end

    # @return [Result]
    def run(folder, refused: nil, error: nil)
      tracing = ["-e", "trace=#{refused}", "-e", "inject=#{refused}:error=#{error}", "-e", "signal=none", "-o", File::NULL]
      start(folder, (tracing if refused))
    end

    private

    def start(folder, tracing)
      command = [RbConfig.ruby, *@options, "-e", WAIT + @work]
      command = ["strace", "-f", "--seccomp-bpf", *tracing, *command] if tracing && @early
      Open3.popen3(@env, *command, chdir: folder) do |input, output, errors, waiter|
        raise "the program was not loaded: #{errors.read}" unless output.gets&.chomp == READY

        err = Thread.new { errors.read }
        tracer = attach(waiter.pid, tracing) if tracing && !@early
        input.close
        Result.new(out: output.read, err: err.value, status: waiter.value.exitstatus, tree: tree(folder))
              .tap { Process.wait(tracer) if tracer }
      end
    end

    def attach(pid, options)
      messages, err = IO.pipe
      tracer = spawn("strace", "-f", *options, "-p", pid.to_s, err: err)
      err.close
      message = messages.gets
      raise "strace cannot attach: #{message}" unless message&.include?("attached")

      Thread.new { messages.read }
      tracer
    end

    def tree(folder)
      Dir.glob("**/*", File::FNM_DOTMATCH, base: folder).sort.to_h do |name|
        stat = File.lstat("#{folder}/#{name}")
        [name, [stat.mode.to_s(8), (File.binread("#{folder}/#{name}") if stat.file?)]]
      end
    end
  end
end
