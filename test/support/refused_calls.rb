# frozen_string_literal: true

require "fiddle"
require "io/wait"
require "open3"
require "rbconfig"
require "tempfile"

# Runs a program with some system calls refused from the moment that it begins its
# work, and tells which calls that work makes. Both by strace, which is attached once
# the program is loaded.
#
#   program = RefusedCalls::Program.new(%w[-rpstore], 'PStore.new("a").transaction {}')
#   program.calls(folder)                             # => ["flock", "openat", …]
#   program.run(folder, refused: "flock", error: "ENOSYS")
module RefusedCalls
  # What came of a run; +tree+ is what it left in its folder.
  Result = Struct.new(:out, :err, :status, :tree, :calls, keyword_init: true) do
    def outcome = [out, status, tree]
  end

  # @return [Boolean] whether strace is here, and may refuse calls
  def self.available?
    return @available if defined?(@available)

    @available = !Open3.capture2e("strace", "-e", "inject=getppid:error=ENOSYS", "true").last.exitstatus.nonzero?
  rescue SystemCallError
    @available = false
  end

  # Ruby code that is loaded, and then works.
  class Program
    READY = "loaded and ready"
    # strace is not its parent, and Yama wants that said aloud: PR_SET_PTRACER, PR_SET_PTRACER_ANY.
    WAIT = <<~RUBY
      require "fiddle"
      Fiddle::Function.new(Fiddle::Handle::DEFAULT["prctl"], [Fiddle::TYPE_INT] + [Fiddle::TYPE_LONG] * 4, Fiddle::TYPE_INT)
                      .call(0x59616d61, -1, 0, 0, 0)
      $stdout.sync = true
      puts #{READY.inspect}
      $stdin.gets
    RUBY

    # @param options [Array<String>] Ruby's, which load what the program needs
    # @param work [String] Ruby code
    # @param early [Boolean] whether calls are refused from the process's beginning: for
    #   work of many calls, since strace then stops it at these alone
    def initialize(options, work, early: false, env: {})
      @options = options
      @work = work
      @early = early
      @env = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL" => nil, "LC_ALL" => "C.UTF-8" }.merge(env)
    end

    # @param folder [String] where it runs
    # @return [Array<String>] the calls of its work, by name
    def calls(folder)
      Tempfile.create("frugal-calls") do |log|
        result = start(folder, ["-c", "-o", log.path])
        raise "the program fails: #{result.err}" unless result.status.zero?

        return File.readlines(log.path).filter_map { |line| line[/^\s*[\d.]+\s.*\s(\w+)$/, 1] }.uniq - ["total"]
      end
    end

    # @return [Result]
    def run(folder, refused: nil, error: nil)
      start(folder, refused ? ["-e", "trace=#{refused}", "-e", "inject=#{refused}:error=#{error}", "-e", "signal=none", "-o", File::NULL] : nil)
    end

    private

    def start(folder, tracing)
      command = [RbConfig.ruby, *@options, "-e", WAIT + @work]
      command = ["strace", "-f", "--seccomp-bpf", *tracing, *command] if tracing && @early
      Open3.popen3(@env, *command, chdir: folder) do |input, output, errors, waiter|
        said = output.gets
        raise "not loaded: #{errors.read}" unless said&.chomp == READY

        err = Thread.new { errors.read }
        tracer = attach(waiter.pid, tracing) if tracing && !@early
        input.close
        Result.new(out: output.read, err: err.value, status: waiter.value.exitstatus, tree: tree(folder)).tap { Process.wait(tracer) if tracer }
      end
    end

    def attach(pid, options)
      said_out, said_in = IO.pipe
      tracer = spawn("strace", "-f", *options, "-p", pid.to_s, err: said_in)
      said_in.close
      said = said_out.gets
      raise "strace does not attach: #{said}" unless said&.include?("attached")

      Thread.new { said_out.read }
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
