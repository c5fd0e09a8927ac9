# frozen_string_literal: true

# A part of each agent (see base.rb). A request brings news from outside: what a program has learned before, it has to
# ask again. A server waits for its socket, which the recorder sees. This file reports the requests that a program makes
# itself: in its tests, or in a console.
module Frugal
  module Profile
    # Reports a wait at the beginning of each request, but not of a request inside of another one. A TracePoint of one
    # method adds no frame to a backtrace, and does not change the method.
    class RequestAgent
      # The methods that call an application of Rack, and the files that define them.
      METHODS = { %i[Rack Test Session] => :process_request, %i[Rack MockRequest] => :request,
                  %i[Rails Engine] => :call }.freeze
      FILES = %w[/rack/test.rb /rack/mock_request.rb /rack/mock.rb /rails/engine.rb].freeze
      private_constant :METHODS, :FILES

      def initialize
        @left = METHODS.dup
        @depths = {}.compare_by_identity # Thread => how many requests it is in
      end

      # Waits for the files. After each other one that Ruby compiles, too: a cache of compiled files hides them.
      #
      # @return [void]
      def wait
        waiting = TracePoint.new(:script_compiled) do |event|
          install ? waiting.disable : watch(event.instruction_sequence)
        end
        waiting.enable unless install
      end

      private

      # @param script [RubyVM::InstructionSequence]
      def watch(script)
        TracePoint.new(:end) { install }.enable(target: script) if FILES.any? { |file| script.path.end_with?(file) }
      rescue ArgumentError
        nil # a file of that name defines no class
      end

      # @return [Boolean] whether all methods are traced
      def install
        @left.delete_if { |names, name| trace(Agent.loaded(*names), name) }
        @left.empty?
      end

      def trace(owner, name)
        return false unless owner && (owner.method_defined?(name) || owner.private_method_defined?(name))

        TracePoint.new(:call, :return) { |event| on(event.event) }.enable(target: owner.instance_method(name))
        true
      rescue StandardError
        true # another library of that name, whose method is written in C
      end

      # An asynchronous exception, such as that of Timeout, waits until the hook has ended.
      def on(event)
        Thread.handle_interrupt(Object => :never) do
          thread = Thread.current
          depth = @depths.fetch(thread, 0) + (event == :call ? 1 : -1)
          Agent.recorder.wait if event == :call && depth == 1
          depth.positive? ? @depths[thread] = depth : @depths.delete(thread)
        end
      end
    end
  end
end

Frugal::Profile::RequestAgent.new.wait
