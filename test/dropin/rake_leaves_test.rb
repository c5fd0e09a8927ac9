# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rakes"

# Tasks of source files, which the command `rake` does not make if nobody can see them: each way to see them, with
# stock Rake and under frugal.
class RakeLeavesTest < Frugal::TestCase
  COUNT = 520 # more than LastWalk::MIN_TASKS
  NAMES = Array.new(COUNT) { |i| format("f%03d", i) }
  PREPARE = <<~RUBY
    NAMES = Array.new(#{COUNT}) { |i| format("f%03d", i) }
    NAMES.each { |name| file("out/\#{name}" => ["src/\#{name}", "src/shared"]) { |t| puts "built \#{t.name}" } }
    task(default: NAMES.map { |name| "out/\#{name}" })
    def look(where)
      names = Rake.application.instance_variable_get(:@tasks).keys
      made = ObjectSpace.each_object(Rake::FileTask).count
      invoked = Rake.application.tasks.count(&:already_invoked)
      puts "\#{where}: \#{names.size} \#{names.last(3)} \#{made} \#{invoked}"
    end
  RUBY
  # What looks at the tasks, and when.
  OBSERVERS = {
    "at_exit" => "at_exit { look :exit }",
    "END" => "END { look :end }",
    "an older handler of at_exit" => "at_exit { look :exit }\nat_exit { puts :later }",
    "trap EXIT" => "trap('EXIT') { look :trap }",
    "trap EXIT with code" => "trap('EXIT', 'look :trap')",
    "trap EXIT with frozen code" => "trap('EXIT', 'look :trap'.freeze)",
    "trap EXIT with a method" => "trap('EXIT', &method(:look))",
    "a finalizer" => "object = Object.new; ObjectSpace.define_finalizer(object, proc { look :finalizer })",
    "another thread" => "t = Thread.new { begin; sleep; ensure; look :thread; end }; Thread.pass until t.stop?",
    "TracePoint of returns" => "TracePoint.new(:return) { |t| look :return if t.method_id == :top_level }.enable",
    "TracePoint of C calls" => "n = 0; TracePoint.new(:c_call) { |t| t.disable { look t.method_id } " \
                               "if t.method_id == :each && (n += 1) < 3 }.enable",
    "TracePoint of a method" => "TracePoint.new(:return) { look :return }" \
                                ".enable(target: Rake.application.method(:top_level))",
    "set_trace_func" => "set_trace_func(proc { |event, _f, _l, id| " \
                        "(set_trace_func(nil); look :func) if event == 'return' && id == :top_level })",
    "a singleton method" => "def (Rake.application).run_with_threads = super.tap { look :threads }",
    "a prepended module" => "Rake::Application.prepend(Module.new { def invoke_task(*) = super.tap { look :after } })",
    "a module of the thread pool" => "Rake::ThreadPool.prepend(Module.new { def join = super.tap { look :join } })",
    "a redefined method" => "class Rake::ThreadPool; alias old join; def join = old.tap { look :join }; end",
    "options" => "class << Rake.application.options; def job_stats = (look :options; nil); end",
    "a task that follows" => "task(default: 'last')\ntask('last') { look :last }",
    "a task that precedes" => "task(default: 'first')\nfile('out/f000' => 'first')\ntask('first') { look :first }",
    "a task in the middle" => "file('out/f260' => 'middle')\ntask('middle') { look :middle }",
    "a definition in the middle" => "file('out/f260' => 'middle')\ntask('middle') { file('new' => 'src/f400'); look :m }",
    "a walk in a walk" => "task('in') { Rake::Task['default'].invoke; look :in }\n" \
                          "Rake.application.top_level_tasks.replace(['in'])",
    "another task" => "task('other') { look :other }\nRake.application.top_level_tasks << 'other'",
    "the same file as a task" => "Rake.application.top_level_tasks << 'src/f003' << 'default'; at_exit { look :exit }",
    "a walk in the Rakefile" => "Rake::Task['default'].invoke; look :file",
    "enumeration by a rule" => "rule('.x' => '.y') { look :rule }",
    "a namespace" => "namespace(:n) { task('t' => %w[src/f001 out/f002]); file('g' => 'out/f003') }\n" \
                     "task(default: %w[n:t n:g]); at_exit { look :exit }",
    "an iteration over the tasks" =>
      "begin; Rake.application.instance_variable_get(:@tasks).each_value { |t| t.invoke if t.name == 'default' }\n" \
      "rescue => e; puts e.message; end; look :iteration\np Rake::Task['out/f000'].invoke rescue puts $!.message",
    "a look-up by a rule in the middle" =>
      "rule(/\\Amade/ => 'src/f001') { look :rule }\n" \
      "file('out/f100' => %w[src/f101 made1 src/f300])\nfile('out/f200' => %w[src/f300 made2 src/f301])\n" \
      "at_exit { look :exit; p ObjectSpace.each_object(Rake::FileTask).map(&:name).tally.values.max }",
    "Marshal" => "at_exit { names = Rake.application.tasks.map(&:name); puts Marshal.dump(names).size }",
    "a shorter Hash" => "at_exit { p Rake.application.instance_variable_get(:@tasks).size }",
    "a signal" => "trap('USR1') { look :signal }\nfile('out/f300' => 'kill')\n" \
                  "task('kill') { Process.kill('USR1', $$); sleep 0.01 }",
    "a failing task" => "task(default: 'bad')\ntask('bad') { raise 'bad' }\nat_exit { look :exit }",
    "a changed file" => "at_exit { look :exit }\nFile.utime(9, 9, 'out/f200')",
    "garbage collection" => "GC.stress = true if ENV['NEVER']\nat_exit { GC.start; GC.compact; look :exit }",
    "a Rakefile that ends the process" => "task(default: 'stop')\ntask('stop') { look :stop; exit 3 }"
  }.freeze

  def setup
    super
    write("src/shared", mtime: Time.at(5))
    NAMES.each { |name| write("src/#{name}", mtime: Time.at(10)) && write("out/#{name}", mtime: Time.at(20)) }
  end

  OBSERVERS.each_with_index do |(name, code), number|
    define_method("test_#{name.tr(" ", "_")}_sees_what_it_sees_with_stock") do
      write("Rakefile", "#{PREPARE}#{code}\n")
      rakes = Rakes.all.values_at(0, -1)
      (QUICK ? [rakes[number % 2]] : rakes.uniq).each do |rake|
        assert_equal(*[false, true].map { |frugal| printed(rake, frugal) })
      end
    end
  end

  # A script that goes on after Rake, as an application of its own may do.
  def test_a_script_sees_what_it_sees_with_stock
    write("Rakefile", PREPARE)
    write("script.rb", "require 'rake'\nRake.application.run\nlook :script\n")
    write("line.rb", "require 'rake'\nRake.application.run; look :line\n")
    %w[script.rb line.rb].each do |script|
      assert_equal(*[false, true].map { |frugal| printed(Rakes.all.first, frugal, path(script)) })
    end
  end

  # Without an observer, a walk is the last thing that runs. This shows that the tests above are about something.
  def test_the_proof_succeeds_for_the_command_alone
    skip_without_leaves
    Rakes.all.each do |rake|
      write("Rakefile", "#{PREPARE}#{said}")
      assert_equal "last\n", printed(rake, true, switch: "frugal/rake"), rake
      OBSERVERS.values_at("at_exit", "trap EXIT", "a finalizer", "TracePoint of returns").each do |code|
        write("Rakefile", "#{PREPARE}#{said}\n#{code.sub("look", "[].push")}")
        assert_empty printed(rake, true, switch: "frugal/rake"), code
      end
    end
  end

  # What follows if the proof were wrong: the tasks are not there. They are as soon as something is defined or invoked.
  def test_tasks_are_made_by_the_next_use
    skip_without_leaves
    uses = ["file('new')", "Rake::Task['src/f007'].invoke", "Rake::Task['out/f007'].needed?"]
    script = "n = -> { Rake.application.instance_variable_get(:@tasks).size }\n" \
             "Frugal::Dropin::Rake::LastWalk.define_singleton_method(:proven?) { |*| true }\n" \
             "Rake::Task['default'].invoke; few = n.(); USE\nputs [few, n.()].join(' ')"
    counts = uses.map do |use|
      write("Rakefile", PREPARE + script.sub("USE", use))
      printed(Rakes.all.first, true, switch: "frugal/rake").lines.first
    end
    assert_equal ["521 1043\n", "521 1042\n", "521 1042\n"], counts
  end

  private

  def skip_without_leaves
    skip "no compiled library here" unless Frugal::Native.engine_name == :c
    skip "a newer Ruby does not export what the proof asks: a source file has a task at once" if RUBY_VERSION >= "3.2"
  end

  # Prints a line if the proof succeeds.
  def said
    "Frugal::Native::C::RakeWalk.prepend(Module.new { define_method(:last=) { |flag| puts :last; super(flag) } })\n"
  end

  def printed(rake, frugal, command = "#{rake}/exe/rake", switch: "frugal/autorun")
    options = frugal ? ["-I", LIB, "-r", switch] : []
    result = run_command(RUBY, "-I", "#{rake}/lib", *options, command, chdir: tree)
    (result.out + result.err).gsub(/^.*(?:rake aborted|Rakefile:\d|See full|Tasks:).*\n/, "")
  end
end
