# frozen_string_literal: true

# Which of frugal's own methods a scenario calls, and what it sees when one of them
# fails as it is entered.
#
#   ruby faults.rb methods GROUP                   # their names, as JSON
#   ruby faults.rb stock GROUP                     # what stock's scenario sees
#   ruby faults.rb faults GROUP < names.json       # what it sees with a fault in each of them
require "json"
require "stringio"
require_relative "scenarios"

role, group = ARGV
features, switch = Scenarios::GROUPS.fetch(group.to_sym)
features.each { |feature| require feature }
require switch unless role == "stock"
$VERBOSE = nil
Scenarios.prepare(group.to_sym)

# Scenarios leave files, and tasks: each runs in a process and a directory of its own.
def apart(name)
  out, answer = IO.pipe
  pid = fork do
    Dir.mkdir(name)
    Dir.chdir(name)
    Scenarios.lay_out
    answer.syswrite(JSON.generate(yield))
  rescue Exception => e # rubocop:disable Lint/RescueException -- told to the parent
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
    names[[name, !object.nil?, call.method_id]] = true if name&.start_with?("Frugal::") && (object.nil? || Module === object)
  end
  trace.enable { Scenarios.run(group) }
  names.keys
end

def break_method(name, singleton, method)
  scope = Object.const_get(name)
  owner = singleton ? scope.singleton_class : scope
  file, line = owner.instance_method(method).source_location
  visible = owner.private_method_defined?(method) ? :private : :public
  owner.class_eval("def #{method}(*, **); raise(::NameError, 'a fault of our own'); end\n#{visible} :#{method}", file, line)
end

case role
when "methods" then print apart("methods") { called(group.to_sym) }
when "stock" then print apart("stock") { Scenarios.run(group.to_sym) }
else
  JSON.parse($stdin.read).each_with_index do |name, number|
    $stdout.syswrite("#{JSON.generate([name, apart("fault#{number}") { break_method(*name) && Scenarios.run(group.to_sym) }])}\n")
  end
end
