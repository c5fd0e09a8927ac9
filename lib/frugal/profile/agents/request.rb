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

      # Waits for the files. Also looks after every other file that Ruby compiles, because a cache of compiled files
      # (bootsnap) hides the files themselves.
      #
      # @return [void]
      def wait
        waiting = TracePoint.new(:script_compiled) do |event|
          install ? waiting.disable : watch(event.instruction_sequence)
        rescue StandardError
          nil # the program must not notice it
        end
        waiting.enable unless install
      end

      private

      # @param script [RubyVM::InstructionSequence]
      def watch(script)
        path = script.path.b
        TracePoint.new(:end) { install }.enable(target: script) if FILES.any? { |file| path.end_with?(file) }
      rescue ArgumentError
        nil # a file of that name defines no class
      end

      # @return [Boolean] whether all methods are traced
      def install
        @left.delete_if { |names, name| trace(Agent.loaded(*names), name) }
        @left.empty?
      end

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

Frugal::Profile::RequestAgent.new.wait
