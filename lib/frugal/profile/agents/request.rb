# frozen_string_literal: true

# This file is in front of each agent (see base.rb). A request brings news from outside: what a program has learned
# before, it has to ask again. A server waits for its socket, which the recorder sees. This file reports the requests
# that a program makes itself: in its tests, or in a console.
module Frugal
  module Profile
    # Makes the recorder write a wait at each call of the methods that call an application of Rack, also at one inside
    # of another.
    class RequestAgent
      METHODS = { %i[Rack Test Session] => :process_request, %i[Rack MockRequest] => :request,
                  %i[Rails Engine] => :call }.freeze
      FILES = %w[/rack/test.rb /rack/mock_request.rb /rack/mock.rb /rails/engine.rb].map(&:b).freeze # that define them
      # Programs may override them.
      GET = Module.instance_method(:instance_method)
      HAS = %i[method_defined? private_method_defined?].map { |name| Module.instance_method(name) }.freeze
      private_constant :METHODS, :FILES, :GET, :HAS

      def initialize
        @left = METHODS.dup
      end

      # @return [Boolean] whether all methods are traced
      def install
        @left.delete_if { |names, name| trace(Agent.loaded(*names), name) }
        @left.empty?
      end

      # Waits for the classes of a file that is about to be loaded.
      #
      # @param script [RubyVM::InstructionSequence]
      # @return [void]
      def watch(script)
        path = script.path.b
        TracePoint.new(:end) { install }.enable(target: script) if FILES.any? { |file| path.end_with?(file) }
      rescue ArgumentError
        nil # a file of that name defines no class
      end

      private

      def trace(owner, name)
        return false unless owner && HAS.any? { |has| has.bind_call(owner, name) }

        Agent.recorder.wait_at(GET.bind_call(owner, name))
        true
      rescue StandardError
        true # another library of that name, whose method is written in C
      end
    end
  end
end

requests = Frugal::Profile::RequestAgent.new
Frugal::Profile::Agent.wait do |script|
  requests.watch(script) if script
  requests.install
end
