# frozen_string_literal: true

require_relative "../test_helper"

# What another thread raises while the engine waits reaches the program, whatever its class: it is no failure of
# frugal's own, after which stock would be called. strace lets the calls for two folders wait.
class InterruptionTest < Frugal::TestCase
  OPERATIONS = {
    "Dir.glob, a walk" => ["dir", 'Dir.glob("tree/**/*.rb")'],
    "Dir.glob, one folder" => ["dir", 'Dir.glob("tree/*.rb")'],
    "Dir[] of several patterns" => ["dir", 'Dir["tree/**/*.rb", "tree/**/*.erb", "tree/**/a"]'],
    "Dir[] of one pattern that is read in Ruby" => ["dir", 'Dir["./tree/**/*.{rb,erb}"]'],
    "FileList" => ["rake", 'Rake::FileList["tree/**/*.rb"].to_a'],
    "mkdir_p" => ["fileutils", 'FileUtils.mkdir_p("new/a/b")'],
    "rm_r" => ["fileutils", 'FileUtils.rm_r("tree")'],
    "cp_r" => ["fileutils", 'FileUtils.cp_r("tree", "copy")'],
    "PStore, a lock" => ["pstore", <<~'RUBY']
      reader, writer = IO.pipe
      holder = fork { PStore.new("store").transaction { writer.close; sleep 60 } }
      writer.close
      reader.read
      at_exit { Process.kill(:KILL, holder) }
      PStore.new("store").transaction { }
    RUBY
  }.freeze
  PROGRAM = <<~'RUBY'
    error, main = Object.const_get(ARGV.fetch(0)), Thread.current
    Dir.glob("other/**/absent") # what is loaded at the first use, is
    Thread.new { sleep 0.5; main.raise(error, "from outside") }
    begin
      OPERATION
      puts "it did not wait, or the exception is lost"
    rescue error => e
      puts "#{e.class}: #{e.message[/from outside/]}"
    end
  RUBY
  DELAYED = "getdents64,mkdir,mkdirat"

  OPERATIONS.each_with_index do |(name, (drop_in, code)), index|
    define_method("test_#{name}") do
      skip "the C engine knows what came while it waited" unless Frugal::Native.engine_name == :c
      error = %w[ArgumentError Errno::EIO IOError][index % 3]
      result = run_program(drop_in, error, code)
      assert_equal "#{error}: from outside\n", result.out, result
    end
  end

  private

  def run_program(drop_in, error, code)
    mkdir("other")
    3.times { |number| write("tree/#{number}/a.rb", "") }
    write("program.rb", PROGRAM.sub("OPERATION", code))
    library = drop_in == "dir" ? [] : ["-r#{drop_in}"]
    run_command("strace", "-f", "-qq", "-o", path("trace"), "-P", path("tree"), "-P", "new", "-e", "trace=#{DELAYED}",
                "-e", "inject=#{DELAYED}:delay_exit=1500000", RUBY, "-I", LIB, *library, "-rfrugal/#{drop_in}", "program.rb", error,
                chdir: tree)
  end
end
