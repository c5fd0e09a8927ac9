# frozen_string_literal: true

require_relative "../platform"
require_relative "../native"

module Frugal
  module Autorun
    # Under `frugal run`, keeps the bytecode of the program's files, so that the next process does not parse them again.
    # bootsnap does the same, but is not exact (docs/adr/0020): here a file's bytecode is used only if the kernel proves
    # that the file is unchanged, and only if stock Ruby would have printed nothing while compiling the file.
    #
    #   Boot.begin("/home/me/.cache/frugal/boot")    # FRUGAL_BOOT, from now on
    #
    # Ruby calls `RubyVM::InstructionSequence.load_iseq` for each file that it is about to load. If there is no bytecode
    # yet, Ruby compiles the file, and frugal takes the result from the event `script_compiled`: it has the same label,
    # path and lines as with stock.
    #
    # *Cost*: nine system calls for each file; see {C.kept_code}.
    module Boot
      SEQUENCE = ::RubyVM::InstructionSequence
      LOAD = SEQUENCE.method(:load_from_binary)
      # Identifies the Ruby that compiles. {begin} adds the attributes of its executable: two builds may have one
      # revision.
      BUILD = ["frugal", Platform::ABI, RUBY_VERSION, RUBY_PATCHLEVEL, RUBY_REVISION].join(" ").freeze
      KEPT_DAYS = 60
      SWEEPS = 64 # one in this many processes that keep bytecode removes old bytecode
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

          # The first run of a program, the only one in a fresh container, costs no more than this note.
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

        # Whether the program uses something that kept bytecode does not support, or other compile options.
        def compiled_otherwise?
          Start.loaded?(:Coverage) || ::Object.const_defined?(:SCRIPT_LINES__, false) || ::RubyVM.keep_script_lines ||
            SEQUENCE.respond_to?(:translate) || SEQUENCE.compile_option != @options
        end

        # The conditions, besides its source, on which bytecode depends. The magic comments `coding: external`,
        # `internal` and `locale` stand for the default encodings, which Rails sets when it is loaded.
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

        # The next script that this thread compiles is the awaited one, unless the awaited file has a syntax error.
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

        # In one of {SWEEPS} processes, removes bytecode that no process has used for {KEPT_DAYS} days.
        def sweep
          return if @swept

          @swept = true
          @native.sweep_code(@folder, KEPT_DAYS) if (::Process.pid % SWEEPS).zero?
        end

        # Runs the block. After an error in it, Ruby itself compiles all further files. Unlike {Autorun.protect}, this
        # method raises no error, because stock's `require` would not have raised it, and drop-ins continue to wait.
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
