# frozen_string_literal: true

# Asks Rake's planner in Java and its pure twin the same questions about random builds, see java_rake_test.rb.
#
#   jruby rake_twins.rb SEED
require "rake"
require_relative "rake_paths" # before the methods are replaced
require "frugal/rake"
require "tmpdir"

PLANS = [Frugal::Native::Java::RakePlan, Frugal::Native::Pure::RakePlan].freeze
NAMES = [*"a".."h", "n:x", "^a", "rake:a", "ü", "new\nline", "file/below"].freeze
LISTS = [%w[a b c], %w[b a], ["x~", "a.bak", "CVS/a", ".svn", "a/.svn/b", "bak", "xCVS"], ["core"], ["a/core"],
         ["score"], ["\xFF"], ["a\0"], [:a], ["ü", "a"], []].freeze
RANDOM = Random.new(Integer(ARGV.fetch(0)))
PLANS.last.adopt(true) # as the drop-in has told the Java one

def same(question)
  java, pure = PLANS.map { |plan| yield plan }
  return if java == pure || (pure.nil? && Thread.list.size > 1) # for Ruby, the JVM's own thread is another one

  abort "#{question}: #{java.inspect} in Java, #{pure.inspect} in Ruby"
end

def pick(list) = list[RANDOM.rand(list.size)]

def write_files
  NAMES.first(8).each { |name| File.write(name, "") && File.utime(0, RANDOM.rand(3), name) if RANDOM.rand(4).positive? }
  File.write("file", "")
end

# Tasks of all kinds, some in a namespace, with circles, missing files, order-only prerequisites and overrides.
def define_tasks(application)
  classes = [Rake::FileTask] * 6 + [Rake::Task, Rake::MultiTask, Rake::FileCreationTask, Class.new(Rake::FileTask)]
  NAMES.each do |name|
    next if RANDOM.rand(5).zero?

    task = pick(classes).new(name, application)
    application.instance_variable_get(:@tasks)[name] = task
    task.enhance(Array.new(RANDOM.rand(3)) { pick(NAMES) })
    task | [pick(NAMES)] if task.respond_to?(:|) && RANDOM.rand(6).zero?
    task.define_singleton_method(:needed?) { true } if RANDOM.rand(20).zero?
  end
end

def ask_all(application)
  plans = PLANS.to_h { |plan| [plan, plan.new(application)] }
  build_all = RANDOM.rand(5).zero?
  plans.each_value { |plan| plan.build_all = build_all }
  application.tasks.each do |task|
    same("plain? #{task}") { |plan| plans[plan].plain?(task) }
    same("needed? #{task} #{task.prerequisites}") { |plan| plans[plan].needed?(task) }
    same("mtime #{task}") { |plan| plans[plan].mtime(task) }
    same("out_of_date? #{task}") { |plan| plans[plan].out_of_date?(task, Time.at(1)) }
  end
  NAMES.each { |name| same("exist? #{name}") { |plan| plans[plan].exist?(name) } }
end

# As many lines of Monitor#synchronize as tasks, also if the garbage was collected since then.
def print_monitors
  application = Rake.application = Rake::Application.new
  %w[c b a].each_cons(2) { |name, source| application.define_task(Rake::Task, { name => source }) }
  application.define_task(Rake::Task, "a") { raise "no a" }
  error = begin
    application["c"].invoke
  rescue RuntimeError => e
    e
  end
  GC.start
  lines = Rake::Backtrace.collapse(error.backtrace).grep(/synchronize/)
  lines.size == 3 or abort "#{lines.size} frames of Monitor#synchronize"
end

# JRuby counts the thread that calls finalize() as one of Ruby's from some garbage collection on.
def wait_for_the_finalizer
  until Thread.list.any? { |thread| thread.name == "Finalizer" }
    10.times { File.open(File::NULL) }
    GC.start
    sleep 0.01
  end
end

Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    LISTS.each do |list|
      java, pure = [Frugal::Native::Java, Object.new.extend(Frugal::Native::Pure::Names)].map do |engine|
        [engine.keep_names(list, { "b" => true }, [/d\z/, "{e,f}*"]), engine.sorted?(list)]
      end
      java == pure or abort "#{list.inspect}: #{java} in Java, #{pure} in Ruby"
    end
    RakePaths.check(RANDOM)
    200.times do
      write_files
      application = Rake::Application.new
      define_tasks(application)
      ask_all(application)
      FileUtils.rm_rf(Dir.children("."))
    end

    wait_for_the_finalizer
    Rake.application = application = Rake::Application.new
    File.write("a", "")
    task = application.define_task(Rake::Task, { "default" => "a" })
    walk = Frugal::Native::Java::RakeWalk.new(PLANS.first.of(application), task, Rake::TaskArguments.new([], []),
                                              Rake::InvocationChain::EMPTY)
    walk.advance == :done or abort "the walk stops while the JVM's own thread is alive"
    Thread.new { sleep }.then { |other| Thread.pass until other.stop? }
    task.reenable
    walk = Frugal::Native::Java::RakeWalk.new(PLANS.first.of(application), task, Rake::TaskArguments.new([], []),
                                              Rake::InvocationChain::EMPTY)
    walk.advance == :foreign or abort "the walk goes on while another thread is alive"
    Thread.list.each { |thread| thread.kill.join if thread != Thread.current && thread.stop? }
    print_monitors
    RakePaths.check_redefinition
  end
end
puts "done"
