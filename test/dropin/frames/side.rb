# frozen_string_literal: true

# One side of the frames test: what a program can see of each replaced method, as one line of JSON per observation.
#
#   ruby side.rb list GROUP                              # the methods that the drop-in replaces, as JSON
#   ruby side.rb stock|frugal GROUP SHARE < methods.json # one in SHARE of the redefinitions and odd arguments
require "json"
require "stringio"
require_relative "../interposition/scenarios"
require_relative "../../support/replaced_methods"
require_relative "observer"
require_relative "introspection"
require_relative "redefinition"
require_relative "arguments"
require_relative "blocks"

role, group, share = ARGV
features, switch = Scenarios::GROUPS.fetch(group.to_sym)
features.each { |feature| require feature }
unless role == "stock"
  require switch
  Frugal.enable(group)
  state = Frugal::Dropin.status.find { |one| one.name == group.to_sym }
  abort "#{group}: #{state.state} #{state.reason}" unless state.state == :on
end
$VERBOSE = nil
Scenarios.prepare(group.to_sym)
Observer.prepare if group == "rake"

# Finds the replaced methods, with their aliases, by the originals that Replace keeps.
def replaced
  ObjectSpace.each_object(Module).flat_map do |owner|
    next [] if owner.name&.start_with?("Frugal")

    object = ObjectSpace.each_object(owner).find { |one| one.singleton_class.equal?(owner) } if owner.singleton_class?
    names(owner).map { |one| [object ? object.name : owner.name, !object.nil?, one] }
  end.uniq
end

def names(owner)
  owner.private_instance_methods(false).grep(/\Afrugal_stock_/).flat_map do |kept|
    name = kept.to_s.delete_prefix("frugal_stock_").then { |one| { "at" => "[]", "or" => "|" }.fetch(one, one) }
    [name, *owner.instance_methods(false).select { |other| owner.instance_method(other).original_name.to_s == name }]
  end
end

if role == "list"
  print JSON.generate(replaced)
else
  Observer.share = Integer(share)
  methods = JSON.parse($stdin.read).map { |path, singleton, name| Observer::Subject.new(path, singleton, name.to_sym) }
  [Introspection, Redefinition, Arguments].each { |section| section.observe(methods) }
  Blocks.observe(group)
end
