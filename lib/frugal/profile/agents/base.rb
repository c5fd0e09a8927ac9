# frozen_string_literal: true

# An agent is a file of this folder with this one before it. The recorder loads both into each Ruby process of a
# profiled program, in an anonymous module: no constant of the program refers to them, and they require nothing
# (ext/frugal_recorder/ruby_agent.c). An agent reports to the recorder the group of a thread's calls.
module Frugal
  module Profile
    # The methods that the agents share.
    module Agent
      LOOKUP = %i[const_defined? autoload? const_get].map { |name| Module.instance_method(name) }.freeze
      KIND = Module.instance_method(:===)
      private_constant :LOOKUP, :KIND

      class << self
        # @return [Module] of ext/frugal_recorder/ruby_agent.c, with `group`, `process_group`, `mark`, `wait_at`,
        #   `declare` and `changes`
        attr_accessor :recorder

        # Calls the block for each file that Ruby compiles, until it returns true. It loads no upstream library. A text
        # for `eval` counts only if files were loaded since: a cache of compiled files (bootsnap) hides the files
        # themselves, and some programs evaluate thousands of texts.
        #
        # @yieldparam script [RubyVM::InstructionSequence, nil] of the file; nil for the first call
        # @yieldreturn [Boolean] whether there is nothing more to wait for
        # @return [void]
        def wait
          loaded = nil
          waiting = TracePoint.new(:script_compiled) do |event|
            next if event.eval_script && loaded == $LOADED_FEATURES.size

            loaded = $LOADED_FEATURES.size
            waiting.disable if yield(event.instruction_sequence)
          rescue StandardError
            nil # the program must not notice it
          end
          waiting.enable unless yield
        end

        # @param names [Array<Symbol>] such as `:Rake, :Task`
        # @return [Module, nil] the module if it is loaded; runs no autoload, and no method of the program
        def loaded(*names)
          names.reduce(Object) { |scope, name| constant(scope, name) or return }
        end

        private

        def constant(scope, name)
          has, autoload, get = LOOKUP
          return unless has.bind_call(scope, name, false) && !autoload.bind_call(scope, name, false)

          value = get.bind_call(scope, name, false)
          value if KIND.bind_call(Module, value)
        end
      end
    end
  end
end

Frugal::Profile::Agent.recorder = Thread.current[:frugal_recorder]
