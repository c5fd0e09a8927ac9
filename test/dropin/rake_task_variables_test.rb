# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rake_pairs"

# The instance variables of a task, read in every way that Ruby code can: a task that C makes is like one of Rake's.
class RakeTaskVariablesTest < Frugal::TestCase
  include RakePairs

  # t has one prerequisite and one action, the walk makes leaf, and s is in a namespace.
  BUILD = <<~RUBY
    File.write("leaf", ""); File.write("t", "")
    file("t" => "leaf") { 1 }
    task(:plain)
    task("many" => %w[t leaf])
    namespace(:space) { task("s" => "t") }
    t = Rake::Task["t"]
    def show(value)
      case value
      when Monitor, Proc, Rake::Application then value.class
      when Array then value.map { |one| show(one) }
      else value
      end
    end
    def inside(task) = task.instance_variables.to_h { |name| [name, show(task.instance_variable_get(name))] }
  RUBY
  NAMES = %w[@name @prerequisites @actions @already_invoked @comments @lock @scope @arg_names @locations
             @invocation_exception @order_only_prerequisites].freeze
  READ = "p [#{NAMES.join(", ")}].map { |value| show(value) }"
  PREPARED = "NAMES = %i[#{NAMES.join(" ")}]\nrequire 'json'\n#{BUILD}".freeze
  WAYS = {
    "a singleton method" => "def t.inside = #{READ}\nt.inside",
    "a method of Rake's class" => "class Rake::Task; def inside = #{READ}; end\nt.inside",
    "a method of Object" => "class Object; def inside = #{READ}; end\nt.inside",
    "a module that extends it" => "t.extend(Module.new { def inside = #{READ} }).inside",
    "an included module" => "Rake::Task.include(Module.new { def inside = #{READ} })\nt.inside",
    "a method of a module, bound" => "Module.new { def inside = #{READ} }.instance_method(:inside).bind_call(t)",
    "a refinement" => "module R; refine(Rake::Task) { def inside = #{READ} }; end\nusing R\nt.inside",
    "instance_eval" => "t.instance_eval { #{READ} }",
    "instance_exec" => "t.instance_exec(1) { |_| #{READ} }",
    "instance_eval of text" => "t.instance_eval(#{READ.inspect})",
    "instance_eval, bound" => "BasicObject.instance_method(:instance_eval).bind_call(t) { #{READ} }",
    "a binding" => "b = t.instance_eval { binding }\nb.eval(#{READ.inspect})",
    "method_missing" => "class Rake::Task; def method_missing(*) = #{READ}; end\nt.nothing_of_the_kind",
    "instance_variable_get, bound" =>
      "get = Kernel.instance_method(:instance_variable_get)\np show(get.bind_call(t, :@prerequisites))",
    "each variable" => "p inside(t)",
    "who defines reflection" => "p %i[instance_variable_get instance_eval freeze].map { |m| t.method(m).owner }",
    "a copy" => "p inside(t.dup), inside(t.clone)\nt.dup.prerequisites << 1\np t.prerequisites",
    "a clone, frozen" => "p t.clone(freeze: true).frozen?",
    "a copy's arrays" => "p NAMES.map { |n| t.dup.instance_variable_get(n).equal?(t.instance_variable_get(n)) }",
    "arrays of its own" =>
      "all = Rake.application.tasks.flat_map { |one| " \
      "one.instance_variables.map { |v| one.instance_variable_get(v) } }\n" \
      "mine = all.grep(Array) + all.grep(Monitor)\np mine.size, mine.uniq(&:object_id).size, mine.any?(&:frozen?)",
    "inspect" => "p t\nputs Kernel.instance_method(:inspect).bind_call(t).scan(/@\\w+=(?!#)/).inspect",
    "pp" => "require 'pp'\npp t",
    "Marshal" => "begin; Marshal.dump(t); rescue TypeError => e; puts e.message; end",
    "Marshal of what is left" =>
      "Rake::Task['default2'].invoke rescue 0\n" \
      "%i[@lock @application @actions].each { |v| t.remove_instance_variable(v) }\n" \
      "p Marshal.dump(t), Marshal.load(Marshal.dump(t)).instance_variables",
    "Marshal of a scope" => "p Marshal.dump(Rake::Task['space:s'].scope)",
    "remove_instance_variable" =>
      "p show(t.remove_instance_variable(:@lock)), t.remove_instance_variable(:@prerequisites)",
    "ObjectSpace" => "p ObjectSpace.each_object(Rake::Task).map(&:name).sort",
    "what it refers to" =>
      "require 'objspace'\np ObjectSpace.reachable_objects_from(t).map(&:class).map(&:name).tally.sort",
    "its size" => "require 'objspace'\np JSON.parse(ObjectSpace.dump(t)).slice('ivars', 'class').keys",
    "frozen" => "t.freeze\np inside(t), t.locations\nbegin; t.enhance(['x']); rescue => e; puts e.message; end",
    "Ractor" => "p Ractor.make_shareable(Rake::Task['many'].dup.tap { |x| x.remove_instance_variable(:@application); " \
                "x.remove_instance_variable(:@lock) }).frozen?",
    "its readers" =>
      "p t.prerequisites.equal?(t.prerequisites), t.actions.size, t.locations, t.prereqs, t.order_only_prerequisites",
    "arrays after enhance" => "a = t.prerequisites\nt.enhance(%w[x])\np a, t.prerequisites\nfile('t')\n" \
                              "a = t.prerequisites\nfile('t')\np a.equal?(t.prerequisites)",
    "the application" => "p Rake.application.instance_variables",
    "a frozen scope" =>
      "task(:all => %w[space:s t])\nRake::Task['space:s'].scope.freeze\np Rake::Task[:all].invoke.class",
    "a frozen application" =>
      "Rake.application.freeze\nbegin; task('new'); p Rake::Task['new'].name; rescue => e; puts e.message; end",
    "its lock" => "l = t.instance_variable_get(:@lock)\np l.mon_locked?, l.equal?(t.instance_variable_get(:@lock))",
    "a lock that another fiber holds" =>
      "Fiber.new { t.instance_variable_get(:@lock).enter; Fiber.yield }.resume\n" \
      "begin; t.invoke; p :invoked; rescue Exception => e; p e.class; end"
  }.freeze

  # Before a task is invoked, after a walk, and for a task that the walk made for a file.
  MOMENTS = { "defined" => "", "invoked" => "Rake::Task['many'].invoke",
              "made by a walk" => "Rake::Task['many'].invoke\nt = Rake::Task['leaf']" }.freeze

  MOMENTS.each do |moment, code|
    define_method("test_a_task_#{moment.tr(" ", "_")}_has_the_same_variables_as_with_stock") do
      prepared = "#{PREPARED}#{code}\n"
      assert_all_as_stock(WAYS.map { |way, script| RakePairs::Script.new(name: way, code: prepared + script) })
    end
  end

  # The scripts above would pass without the drop-in, too.
  def test_tasks_are_made_in_c
    skip "no compiled library here" unless Frugal::Native.engine_name == :c
    script = "require 'rake'; require 'frugal/rake'; Rake.application; n = 0; " \
             "TracePoint.new(:call) { |t| n += 1 if t.method_id == :initialize }" \
             ".enable { Rake::FileTask.define_task('x') }; p n, Rake::Task['x'].class"
    assert_equal "0\nRake::FileTask\n", run_ruby("-e", script).out
  end
end
