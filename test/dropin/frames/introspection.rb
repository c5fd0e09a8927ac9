# frozen_string_literal: true

# What Method and UnboundMethod tell about each replaced method.
module Introspection
  QUESTIONS = {
    parameters: :parameters.to_proc, arity: :arity.to_proc, owner: :owner.to_proc, name: :name.to_proc,
    source_location: :source_location.to_proc, original_name: :original_name.to_proc, inspect: :inspect.to_proc
  }.freeze

  class << self
    def observe(methods)
      methods.each do |subject|
        method = subject.owner.instance_method(subject.name)
        QUESTIONS.each { |question, ask| Observer.see("#{subject} #{question}", ask.call(method).inspect) }
        Observer.see("#{subject} visibility", subject.visibility)
        Observer.see("#{subject} ==", method == subject.owner.instance_method(subject.name))
        bound(subject) if subject.singleton
      end
    end

    private

    def bound(subject)
      method = subject.object.method(subject.name)
      Observer.see("#{subject} bound", [method.unbind == subject.owner.instance_method(subject.name), method.super_method.inspect,
                                        method.receiver.inspect, method.to_proc.parameters.inspect, method.hash == subject.object.method(subject.name).hash])
    end
  end
end
