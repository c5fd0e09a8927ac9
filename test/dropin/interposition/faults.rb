# frozen_string_literal: true

# Finds frugal's own methods that a scenario calls, and runs the scenario with each of
# them raising when it is called.
#
#   ruby faults.rb methods GROUP                   # prints their names, as JSON
#   ruby faults.rb stock GROUP                     # prints the scenario's results with stock
#   ruby faults.rb faults GROUP < names.json       # prints the results with a fault in each method
require "json"
require "stringio"
require_relative "scenarios"

role, group = ARGV
features, switch = Scenarios::GROUPS.fetch(group.to_sym)
features.each { |feature| require feature }
require switch unless role == "stock"
require "frugal/walk/fast_glob" if group == "dir" && role != "stock" # only odd patterns load it
$VERBOSE = nil
Scenarios.prepare(group.to_sym)

# Scenarios leave files and tasks behind, so each runs in its own process and directory.
def isolated(name)
  out, answer = IO.pipe
  pid = fork do
    Dir.mkdir(name)
    Dir.chdir(name)
    Scenarios.create_files
    answer.syswrite(JSON.generate(yield))
  rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the parent
    answer.syswrite(JSON.generate("#{e.class}: #{e.message}"))
  ensure
    exit!
  end
  answer.close
  out.read.tap { Process.wait(pid) }
end

def called(group)
  names = {}
  trace = TracePoint.new(:call) do |call|
    owner = call.method_id && call.defined_class
    next unless owner && call.path.include?("/lib/frugal/")

    object = ObjectSpace.each_object(owner).first if owner.singleton_class?
    name = object ? object.inspect : owner.name
    next unless name&.start_with?("Frugal::") && (object.nil? || Module === object)

    names[[name, !object.nil?, call.method_id]] = true
  end
  trace.enable { Scenarios.run(group) }
  names.keys
end

def break_method(name, singleton, method)
  scope = Object.const_get(name)
  owner = singleton ? scope.singleton_class : scope
  file, line = owner.instance_method(method).source_location
  visible = owner.private_method_defined?(method) ? :private : :public
  source = "def #{method}(*, **); raise(::NameError, 'a fault of our own'); end\n#{visible} :#{method}"
  owner.class_eval(source, file, line)
end

case role
when "methods" then print isolated("methods") { called(group.to_sym) }
when "stock" then print isolated("stock") { Scenarios.run(group.to_sym) }
else
  JSON.parse($stdin.read).each_with_index do |name, number|
    outcome = isolated("fault#{number}") { break_method(*name) && Scenarios.run(group.to_sym) }
    $stdout.syswrite("#{JSON.generate([name, outcome])}\n")
  end
end
