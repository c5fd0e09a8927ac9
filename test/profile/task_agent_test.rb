# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rakes"
require "frugal/profile"

# The agent must not change what a program does: each Rakefile has the same output, status and tree with and without it.
class TaskAgentTest < Frugal::TestCase
  RAKE = [RUBY, "-W0", Gem.bin_path("rake", "rake")].freeze
  FAILURE = <<~'RUBY'
    task(:inner) { raise ArgumentError, "no" }
    task(outer: :inner) { puts "not reached" }
    task(:nested) { Rake::Task[:outer].invoke }
    task(:thrown) { catch(:done) { Rake::Task[:thrower].invoke }; puts "caught" }
    task(:thrower) { throw :done }
    task(:exit) { exit 3 }
    task(:deep) { def deep = deep(); deep }
    multitask(many: :inner) { puts "not reached" }
    task(:timeout) do
      require "timeout"
      Timeout.timeout(0.05) { Rake::Task[:sleeper].invoke }
    rescue Timeout::Error
      puts "timeout"
    end
    task(:sleeper) { sleep }
    task(:killed) { Thread.new { Rake::Task[:sleeper].invoke }.tap { |thread| sleep 0.05; thread.kill }.join; puts "killed" }
    task(:interrupted) { Process.kill(:INT, $$); sleep 5 }
  RUBY
  # What a program could see of the agent.
  VISIBLE = <<~'RUBY'
    before = [Object.constants, global_variables, $LOADED_FEATURES.grep(/frugal/), Thread.current.keys, ENV.to_h.keys.sort, $!, $:.size]
    task :see do
      p before.last(4), Object.constants.grep(/Frugal/), $LOADED_FEATURES.grep(/frugal|agent/), Thread.current.keys, ENV.keys.sort
      p global_variables.size, Rake::Task.ancestors, Rake::Task.instance_method(:execute).source_location, $!, $~
      p self.class.constants.grep(/Agent/), ObjectSpace.each_object(Module).filter_map(&:name).grep(/\A(Frugal|Agent)/)
      puts caller, caller_locations.map(&:base_label)
      begin
        Rake::Task[:raises].invoke
      rescue => e
        puts e.backtrace, e.full_message(highlight: false), e.chain
      end
    end
    task(:raises) { raise "x" }
  RUBY
  # Programs that change how Rake executes.
  OVERRIDES = <<~'RUBY'
    module Around
      def execute(args = nil) = (puts "before #{name}"; super; puts "after #{name}")
    end
    class Rake::FileTask
      def execute(*) = (puts "file #{name}"; super)
    end
    class Strange < Rake::Task
      def execute(args = nil) = puts("instead of #{name} #{args.to_a}")
      def prerequisites = (puts "asked"; super)
    end
    Rake::Task.prepend(Around)
    Rake::Task.alias_method(:execute_before, :execute)
    Rake::Task.define_method(:execute) { |args = nil| puts "replaced"; execute_before(args) }
    file("out") { touch "out" }
    Strange.define_task(:strange, [:word] => "out") { puts "never" }
    task default: :strange do |task|
      def task.execute(*) = puts("singleton")
      task.reenable
      task.invoke
      task.actions << ->(t, _) { puts "also #{t.name}" }
    end
  RUBY

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  def test_failures_have_the_same_output
    write("Rakefile", FAILURE)
    %w[inner outer nested thrown thrower exit timeout killed interrupted].each do |task|
      [[task], ["--trace", task], ["-m", task], ["--backtrace", "--rules", task]].each { |arguments| assert_same_run(*arguments) }
    end
    assert_same_run("many") # which thread executes it is chance, and --trace would show it
  end

  # Its backtrace is cut by the depth of the stack, which differs from run to run.
  def test_a_stack_overflow
    write("Rakefile", FAILURE)
    assert_equal(*[false, true].map { |profiled| run_rake(profiled, "deep").first(2) })
  end

  def test_nothing_of_the_agent_is_visible
    write("Rakefile", VISIBLE)
    assert_same_run("see")
    assert_same_run("--trace", "see")
  end

  def test_programs_that_replace_methods
    write("Rakefile", OVERRIDES)
    [[], ["--trace"], ["-m"], ["-n"], ["-P"], ["strange[x]"]].each { |arguments| assert_same_run(*arguments) }
  end

  def test_options_that_execute_nothing
    write("Rakefile", FAILURE)
    [["-T", "-A"], ["-P"], ["--version"], ["-W"], ["none"], ["--frog"]].each { |arguments| assert_same_run(*arguments) }
  end

  # Without Rake, with a program that defines a Rake of its own, with one that cannot be parsed, and without a program.
  def test_other_programs
    write("other.rb", "module Rake; class Task; def execute = puts(caller); end; end\nRake::Task.new.execute\neval('1')\n")
    write("autoload.rb", "autoload :Rake, './loaded'\neval('1')\np Object.autoload?(:Rake)\n")
    write("loaded.rb", "puts 'must not be loaded'\n")
    write("odd.rb", "Rake = 5\neval('1')\nputs Rake\n")
    write("odder.rb", "class Rake; def self.const_get(*) = puts('no'); Task = 1; end\neval('1')\ndef Rake.autoload?(*) = 1\neval('2')\n")
    write("broken.rb", "def\n")
    [%w[other.rb], %w[odd.rb], %w[odder.rb], %w[autoload.rb], %w[broken.rb], %w[missing.rb], %w[--version],
     ["-e", "p Object.constants.grep(/Frugal/), $LOADED_FEATURES.grep(/agent/)"],
     %w[-c other.rb], %w[-rrake -e Rake::Task.define_task(:x){puts(caller)}.invoke], ["--disable-gems", "-e", "exit 4"]].each do |arguments|
      assert_equal(*[false, true].map { |profiled| run_program(profiled, [RUBY, *arguments]) })
    end
  end

  # Its calls are not recorded, so that the counts are those of the program.
  def test_the_counts_are_those_of_the_program
    counts = [nil, :task].map do |agent|
      Frugal::Profile::Run.new([RUBY, "--disable-gems", "-e", "File.exist?('x')"], agent: agent, chdir: tree, in: File::NULL).call.counts
    end
    assert_equal(*counts)
  end

  def test_a_task_of_each_rake
    write("a", "")
    write("Rakefile", "file('out' => []) { |t| File.write(t.name, File.read('a')) }\ntask default: 'out'\n")
    Rakes.all.each do |folder|
      File.delete(path("out")) if File.exist?(path("out"))
      command = [RUBY, "-W0", "-I", "#{folder}/lib", "#{folder}/exe/rake"]
      rows = Frugal::Profile::Run.new(command, agent: :task, chdir: tree, in: File::NULL).call.undeclared
      assert_equal [[:read, path("a")]], rows.map { |row| [row.kind, row.path] }, folder
    end
  end

  # Spaces, a newline, quotes, other encodings and bytes that are no text; also in the name of the folder.
  def test_names_of_any_bytes
    ["od d\n\xE9".b, "caf\u00E9"].each { |name| assert_names_of_any_bytes(mkdir(name)) }
  end

  private

  def assert_names_of_any_bytes(folder)
    names = ["a b", "new\nline", %q(quo'te"\\), "caf\u00E9", "\xFF\xFE".b, "-n", "#\{x}", "~x", "p 3 d"]
    names.each { |name| File.write(File.join(folder.b, name.b), "") }
    File.write(File.join(folder, "Rakefile"), <<~RUBY)
      names = Marshal.load(#{Marshal.dump(names).inspect})
      names.each { |name| file("out " + name) { |t| File.write(t.name, File.read(name)) } }
      names.each { |name| file("ok ".b + name.b => name) { |t| File.write(t.name, File.read(name)) } }
      task(default: names.flat_map { |name| ["out " + name, "ok ".b + name.b] })
    RUBY
    recording = Frugal::Profile::Run.new(RAKE, agent: :task, chdir: folder, in: File::NULL).call
    rows = recording.undeclared
    assert_equal names.map { |name| [:read, "out ".b + name.b, File.join(folder.b, name.b)] }.sort_by(&:to_s),
                 rows.map { |row| [row.kind, row.task.name.b, row.path.b] }.sort_by(&:to_s)
    text = Frugal::Profile::Report::Terminal.of(recording, [], limit: 100, origins: Frugal::Profile::Origins.new(folder))
    assert text.valid_encoding? && text.lines(chomp: true).none?(/[[:cntrl:]]/), text
    assert_equal names.map(&:b).sort, rows.map { |row| eval(row.fix[/=> (".*")\z/, 1]).b }.sort # rubocop:disable Security/Eval
  end

  def assert_same_run(*arguments)
    assert_equal(*[false, true].map { |profiled| run_rake(profiled, *arguments) }, arguments)
  end

  def run_rake(profiled, *arguments) = run_program(profiled, [*RAKE, *arguments])

  # @return [Array] exit status, standard output, standard error, the names of the tree
  def run_program(profiled, command)
    FileUtils.rm_f(path("out"))
    options = { chdir: tree, in: File::NULL, out: path(".out"), err: path(".err") }
    if profiled
      status = Frugal::Profile::Run.new(command, agent: :task, **options).call.status
    else
      Process.wait(Process.spawn(*command, **options))
      status = $?
    end
    [status.exitstatus, status.termsig, *%w[.out .err].map { |name| normal(File.read(path(name))) }, Dir.children(tree).sort]
  end

  def normal(text) = text.gsub(/0x\h+|pid \d+/, "x")
end
