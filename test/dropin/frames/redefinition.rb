# frozen_string_literal: true

# What `ruby -w` says when the program redefines a replaced method.
module Redefinition
  KINDS = {
    def: ->(owner, name) { owner.class_eval("def #{name}(*) = 1", "program.rb", 7) },
    define_method: ->(owner, name) { owner.define_method(name) { |*| 1 } },
    alias: ->(owner, name) { owner.alias_method(name, :object_id) },
    kept: lambda do |owner, name|
      owner.alias_method(:kept, name)
      owner.class_eval("def #{name}(*) = kept", "program.rb", 7)
    end,
    remove: lambda do |owner, name|
      owner.__send__(:remove_method, name)
      Observer.see("#{owner} #{name} removed", owner.method_defined?(name) || owner.private_method_defined?(name))
      owner.class_eval("def #{name}(*) = 1", "program.rb", 7)
    end,
    undef: ->(owner, name) { owner.__send__(:undef_method, name) }
  }.freeze

  class << self
    def observe(methods)
      methods.each do |subject|
        KINDS.each do |kind, change|
          next unless Observer.turn?

          Observer.isolated("#{subject} #{kind}") do
            warnings = Observer.warnings do
              $VERBOSE = true
              change.call(subject.owner, subject.name)
              $VERBOSE = nil
            end
            Observer.see("#{subject} #{kind}", [*warnings, subject.visibility, *Introspection::QUESTIONS.values.map do |ask|
              ask.call(subject.owner.instance_method(subject.name)).inspect
            rescue NameError => e
              e.class
            end])
          end
        end
      end
    end
  end
end
