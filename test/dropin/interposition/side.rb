# frozen_string_literal: true

# One side of the interposition tests: runs each case in its own process and directory, and
# prints the results of each as a line of JSON.
#
#   ruby side.rb list GROUP                    # the methods that the drop-in replaces, as JSON
#   ruby side.rb stock|before|after GROUP < cases.json
#
# "before": the program changes the method before frugal is loaded; "after": frugal is loaded
# first. With `frugal run`, which is "stock" with autorun loaded, frugal is already waiting.
require "json"
require "stringio"
require "tmpdir"
require_relative "scenarios"
require_relative "kinds"

role, group = ARGV
features, switch = Scenarios::GROUPS.fetch(group.to_sym)
features.each { |feature| require feature }
ARRIVE = lambda do
  require switch
  Frugal.enable(group)
  Frugal::Dropin::Rails.trace_every = 1 if group == "rails"
end
ARRIVE.call if %w[list after].include?(role)
$VERBOSE = nil
Scenarios.prepare(group.to_sym)

# Finds the replaced methods, with their aliases, by the originals that Replace keeps.
def replaced
  stock = /\Afrugal_stock_/
  ObjectSpace.each_object(Module).flat_map do |owner|
    next [] if owner.name&.start_with?("Frugal")

    object = ObjectSpace.each_object(owner).first if owner.singleton_class?
    owner.private_instance_methods(false).grep(stock).flat_map do |kept|
      name = kept.to_s.sub(stock, "").then { |one| { "at" => "[]", "or" => "|" }.fetch(one, one) }
      same = owner.instance_methods(false).select { |other| owner.instance_method(other).original_name.to_s == name }
      [name, *same].map { |one| [object ? object.name : owner.name, !object.nil?, one] }
    end
  end.uniq
end

if role == "list"
  Dir.glob("**/*.none") if group == "dir"
  print JSON.generate(replaced)
  exit
end

def in_a_directory(name)
  Dir.mkdir(name)
  Dir.chdir(name)
  Scenarios.create_files
  yield
end

def outcome_of(group, role, owner, object, name, kind)
  seen = []
  Kinds.apply(kind.to_sym, owner, object, name.to_sym) do
    ARRIVE.call if role == "before"
    seen << Scenarios.run(group)
  end
  # Stock creates two wrappers per error and frugal one, so the number of calls is not compared.
  [seen, (group == :rails ? Kinds::CALLS.uniq : Kinds::CALLS).map(&:inspect)]
rescue StandardError, ScriptError, SystemStackError, NoMemoryError => e
  [seen, "#{e.class}: #{e.message.lines.first}"]
end

JSON.parse($stdin.read).each_with_index do |(path, singleton, name, kind), number|
  scope = Object.const_get(path)
  owner = singleton ? scope.singleton_class : scope
  out, answer = IO.pipe
  pid = fork do
    result = in_a_directory("case#{number}") do
      JSON.generate(outcome_of(group.to_sym, role, owner, singleton ? scope : nil, name, kind))
    end
    answer.syswrite(result)
  rescue Exception => e # rubocop:disable Lint/RescueException -- reported to the parent
    answer.syswrite("#{e.class}: #{e.message}")
  ensure
    exit!
  end
  answer.close
  $stdout.syswrite("#{JSON.generate([[path, singleton, name, kind], out.read])}\n")
  Process.wait(pid)
end
