# frozen_string_literal: true

module Frugal
  module Autorun
    # Detects under MRI that a file is being loaded: every way to load a file triggers the TracePoint event
    # `script_compiled`; see docs/adr/0001.
    #
    #   Loading.enable      # from now on, calls Autorun.loading(path, script) before each file is evaluated
    module Loading
      @traces = [] # TracePoints of single files
      @ended = {}.compare_by_identity # TracePoints that are done but not disabled yet
      @compiled = TracePoint.new(:script_compiled) do |event|
        # Ignores strings given to eval: they are not upstream files, and there may be millions of them.
        compiled(event.instruction_sequence) unless event.eval_script
      end

      class << self
        def enable = @compiled.enable
        def disable = @compiled.disable
        def enabled? = @compiled.enabled?

        # Disables all traces, also those of files that are being evaluated.
        def give_up = [@compiled, *@traces].each { |trace| trace.disable if trace.enabled? }

        # Calls the block near the end of the file, until the block returns true: before the last statement, or at the
        # end of the module that is the last statement. At this point all that the file requires is loaded, and the
        # code that requires the file has not continued. If a part of upstream is still missing, the end of each
        # module calls the block again.
        #
        # Ruby visits all code below a target, so the target is the innermost last module.
        #
        # @param script [RubyVM::InstructionSequence]
        def at_end(script, &arrival)
          line = last_line(script) or return
          last = innermost(script, line)
          again = -> { at_module_end(script, &arrival) unless arrival.call }
          return at_module_end(last) { again.call || true } unless last.equal?(script)

          trace(:line, script, line) do |_, trace|
            finish(trace)
            again.call
          end
        end

        # Calls the block at the end of each module and class of the file, until the block returns true.
        #
        # @param (see #at_end)
        def at_module_end(script)
          trace(:end, script) { |_, trace| finish(trace) if yield }
        rescue ArgumentError # the file has no `end` event
          nil
        end

        # Whether Ruby's Coverage is running. The program may have a constant of that name.
        def coverage?
          return false if !Object.const_defined?(:Coverage, false) || Object.autoload?(:Coverage)
          return false unless Module === ::Coverage

          owner = ::Coverage.singleton_class
          owner.method_defined?(:running?) && owner.instance_method(:running?).source_location.nil? &&
            ::Coverage.running?
        end

        private

        # @return [Integer, nil]
        def last_line(script) = script.trace_points.reverse_each.find { |_, event| event == :line }&.first

        # @return [RubyVM::InstructionSequence] the body of the module that ends with the file, or the script
        def innermost(script, line)
          last = nil
          script.each_child do |child|
            last = child if child.first_lineno == line && child.label.start_with?("<module:", "<class:")
          end
          return script unless last

          line = last_line(last)
          line ? innermost(last, line) : last
        end

        def compiled(script) = Autorun.loading(script.absolute_path || script.path, script)

        def trace(kind, script, line = nil)
          trace = TracePoint.new(kind) { |event| Autorun.protect { yield event, trace } unless @ended[trace] }
          @traces << trace
          trace.enable(target: script, target_line: line)
        rescue ArgumentError
          @traces.delete(trace)
          raise
        end

        # Disables a TracePoint. If Coverage is running, waits until the next C method returns: in the middle of a
        # line that it traces, Ruby 3.1 may count that line twice. Otherwise a `:c_return` must be avoided: the first
        # TracePoint of this kind instruments all code of the process and so makes it permanently slower.
        def finish(trace)
          return remove(trace) unless coverage?

          @ended[trace] = true
          stop = TracePoint.new(:c_return) do
            stop.disable
            remove(trace)
          end
          stop.enable
        end

        def remove(trace)
          trace.disable
          @traces.delete(trace)
          @ended.delete(trace)
        end
      end
    end
  end
end

require_relative "work"
require_relative "watcher"
