# frozen_string_literal: true

require "rbconfig"
require_relative "case"

module RakeFuzz
  # The client of one server, which has stock Rake or Rake with the drop-in.
  class Side
    LIB = File.expand_path("../../../lib", __dir__)
    SERVER = File.join(__dir__, "server.rb")

    attr_reader :hello

    # @param rake [String] folder of an unpacked rake gem
    # @param base [String] working folder, shared by both sides of a pair
    # @param ruby [String] the Ruby that runs Rake
    def initialize(kind, rake:, base:, engine: nil, mutant: nil, ruby: RbConfig.ruby)
      env = { "LANG" => "C.UTF-8", "LC_ALL" => "C.UTF-8", "TZ" => "UTC", "RUBYOPT" => nil, "RUBYLIB" => nil,
              "RAKEOPT" => nil, "RAKE_SYSTEM" => nil, "RAKE_COLUMNS" => nil, "FRUGAL" => nil, "FRUGAL_RAKE" => nil,
              "FRUGAL_ENGINE" => engine }
      another = ruby != RbConfig.ruby
      answers = File.join(base, "answers.#{kind}")
      env["FUZZ_ANSWERS"] = answers if another
      # Java cuts a stack at 1,024 frames; stock Rake needs some 30 for each task.
      env["JAVA_OPTS"] = "-XX:MaxJavaStackTraceDepth=100000" if another
      command = [ruby, "-w", "-I", File.join(rake, "lib"), "-I", LIB, SERVER, kind.to_s, *mutant]
      # Under JRuby, children write to the standard output of the Java process, whatever STDOUT is.
      File.mkfifo(answers) if another
      @io = IO.popen(env, command, another ? "wb" : "r+b", chdir: base, **(another ? { out: File::NULL } : {}))
      @answers = another ? File.open(answers, "rb") : @io
      @hello = Marshal.load(@answers)
    end

    # @param shaken [Integer, nil] the seed of a {Shaker}
    # @return [Hash] the outcome of one case in a process of its own
    def run(kase, shaken: nil) = ask([kase], shaken).first

    # @return [Array<Hash>] the outcomes of cases that share a process
    def run_all(cases) = ask(cases, nil)

    def close = @io.close

    private

    def ask(cases, shaken)
      @io.write(Marshal.dump([cases, shaken]))
      @io.flush
      Marshal.load(@answers)
    end
  end
end
