# frozen_string_literal: true

require_relative "../platform"
require_relative "../native"

module Frugal
  module Autorun
    # Under `frugal run`, keeps what Ruby compiles the program's files to, so that the next process need not parse them.
    # bootsnap does the same, but is not exact (docs/adr/0020): here a file's bytecode is used only where the
    # kernel proves that the file is unchanged, and only if stock Ruby would have said nothing while compiling it.
    #
    #   Boot.begin("/home/me/.cache/frugal/boot")    # FRUGAL_BOOT, from now on
    #
    # Ruby calls `RubyVM::InstructionSequence.load_iseq` for each file that it is about to load. Where there is no
    # bytecode yet, Ruby compiles the file, and the result is taken from the event `script_compiled`: it has
    # the label, the path and the lines of stock.
    #
    # *Cost*: nine system calls for each file; see {C.kept_code}.
    module Boot
      SEQUENCE = ::RubyVM::InstructionSequence
      LOAD = SEQUENCE.method(:load_from_binary)
      # What else the compiler depends on: the Ruby, and the file that it is in, as two builds may have one revision.
      BUILD = ["frugal", Platform::ABI, RUBY_VERSION, RUBY_PATCHLEVEL, RUBY_REVISION].join(" ").freeze
      KEPT_DAYS = 60
      SWEEPS = 64 # one in so many processes that keep something looks for what is old
      private_constant :SEQUENCE, :LOAD, :BUILD, :KEPT_DAYS, :SWEEPS

      # Prepended to the singleton class, since Ruby undefines load_iseq there.
      module Sequences
        # @param path [String] of a Ruby file
        # @return [RubyVM::InstructionSequence, nil] nil: Ruby compiles the file
        def load_iseq(path) = defined?(super) ? super : Boot.sequence(path)
      end

      class << self
        # @param folder [String] absolute
        # @return [void]
        def begin(folder)
          return if Native.engine_name != :c || SEQUENCE.respond_to?(:load_iseq)

          # A program that runs once, as in a fresh container, pays no more.
          @native = Native.engine
          return unless @native.note_program(folder, "#{$PROGRAM_NAME} #{BUILD}")

          @folder = folder
          @options = SEQUENCE.compile_option
          @compiler = "#{BUILD} #{executable} #{@options}"
          @compiled = ::TracePoint.new(:script_compiled) { |event| compiled(event) }
          SEQUENCE.singleton_class.prepend(Sequences)
        end

        # @param path [String]
        # @return [RubyVM::InstructionSequence, nil]
        def sequence(path)
          return if !Platform.main_ractor? || @over || !path.instance_of?(::String) || compiled_otherwise?

          protect do
            found = @native.kept_code(@folder, path, conditions)
            next LOAD.call(found) if found.instance_of?(::String)

            await(path, *found) if found
          end
        end

        private

        # Whether the program has asked for something that bytecode does not have, or for other bytecode.
        def compiled_otherwise?
          Start.loaded?(:Coverage) || ::Object.const_defined?(:SCRIPT_LINES__, false) || ::RubyVM.keep_script_lines ||
            SEQUENCE.respond_to?(:translate) || SEQUENCE.compile_option != @options
        end

        # What bytecode depends on, beside its source. The default encodings are what the magic comments
        # `coding: external`, `internal` and `locale` mean; Rails sets them when it is loaded.
        def conditions
          encodings = [::Encoding.default_external, ::Encoding.default_internal]
          known, text = @conditions
          return text if encodings == known

          text = "#{@compiler} #{encodings}"
          @conditions = [encodings, text] # at once: another thread may load a file
          text
        end

        def executable
          stat = Start::STAT.call("/proc/self/exe")
          [stat.dev, stat.ino, stat.size, stat.mtime.to_r].join(" ")
        rescue ::SystemCallError
          nil
        end

        # @return [nil]
        def await(path, witness)
          @awaited = [::Thread.current, path, witness]
          @compiled.enable unless @compiled.enabled?
        end

        # The next script that this thread compiles is the awaited one, unless it has an error of syntax.
        def compiled(event)
          thread, path, witness = @awaited
          return unless thread.equal?(::Thread.current)

          script = event.instruction_sequence
          @awaited = nil
          @compiled.disable
          protect { keep(script, witness) } unless event.eval_script || script.path != path
        end

        def keep(script, witness)
          return unless @native.core?(::Warning.singleton_class, :warn, :[], :[]=) &&
                        @native.core?(SEQUENCE.singleton_class, :compile) && @native.core?(SEQUENCE, :to_binary)

          source = @native.binread(script.path)&.force_encoding(::Encoding::UTF_8) or return
          sweep if @native.keep_code(@folder, script.path, conditions, witness, source, script)
        end

        # Now and then, removes what nobody reads any more.
        def sweep
          return if @swept

          @swept = true
          @native.sweep_code(@folder, KEPT_DAYS) if (::Process.pid % SWEEPS).zero?
        end

        # After an error, Ruby compiles all files. Unlike {Autorun.protect}, it lets no error pass, as the program's
        # `require` has none, and drop-ins go on waiting.
        #
        # @return [Object, nil]
        def protect
          ::Thread.handle_interrupt(::Object => :never) do
            yield
          rescue ::StandardError, ::ScriptError
            @over = true
            nil
          end
        end
      end
    end
  end
end
