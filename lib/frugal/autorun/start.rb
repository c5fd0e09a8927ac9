# frozen_string_literal: true

# The code that `frugal run` needs in every process: see autorun.rb. Every process loads it, so it is short.
Frugal = Module.new unless defined?(Frugal)
FrugalRuntime = Frugal # the program may define its own Frugal

module FrugalRuntime
  # Waits for the first sign of work: a file with the name of an upstream file, or a pattern of Dir.glob that a walk may
  # answer. Then loads the rest of frugal (loader.rb), which waits for the upstreams (watcher.rb).
  module Start
    MRI = ::RUBY_ENGINE == "ruby"
    # The methods at the start of the process: a test may replace them later.
    OPEN = ::File.method(:open)
    STAT = ::File.method(:stat)
    COMPILE = (::RubyVM::InstructionSequence.method(:compile) if MRI)
    LOAD = (::RubyVM::InstructionSequence.method(:load_from_binary) if MRI)
    # Ruby's own `require`, which RubyGems and bootsnap replace.
    REQUIRE = ::Kernel.instance_method(
      ::Kernel.private_method_defined?(:gem_original_require) ? :gem_original_require : :require
    )
    EVAL = ::Binding.instance_method(:eval)
    FOLDER = "#{::File.dirname(__dir__)}/".freeze
    # The constants and files of {Autorun::UPSTREAMS}, and of RuboCop and Bundler: see watcher.rb.
    CONSTANTS = %i[Rake Find PStore FileUtils ActiveSupport Sprockets Sinatra Bundler].freeze
    ENDINGS = %w[
      /rake.rb /find.rb /pstore.rb /fileutils.rb /active_support/cache/file_store.rb
      /active_support/file_update_checker.rb /sprockets/path_utils.rb /sinatra/base.rb
      /rubocop/result_cache.rb /bundler/runtime.rb
    ].freeze

    FILES = 24 # most programs that load this many files load many more

    # RubyGems calls this method when a `require` has found nothing: see {Loader.offer}.
    module Missed
      # @param path [String]
      # @return [Boolean] whether to try again
      def try_activate(path) = super || (path.include?("frugal") && Start.wake && Loader.offer(path))
    end

    class << self
      # @return [String, nil] autorun.rb in $LOADED_FEATURES
      attr_reader :hidden

      # Starts frugal in this process.
      # @param file [String] autorun.rb, as Ruby lists it in $LOADED_FEATURES
      # @param bytes [String, nil] the beginning of the bytecode file
      # @param from [Integer] the offset in `bytes` after the bytecode of this file
      def call(file, bytes = nil, from = 0)
        ::Object.private_constant :FrugalRuntime
        bytes ? place(bytes, from) : wake
        ::Gem.singleton_class.prepend(Missed) if loaded?(:Gem) && ::Gem.respond_to?(:try_activate)
        return wait(file) if MRI

        Autorun::Loading.conceal(file) if @awake
      end

      # Loads the rest of frugal.
      #
      # @return [Boolean] whether it is loaded
      def wake
        return @awake unless @awake.nil?

        @awake = false
        ::Thread.handle_interrupt(::Object => :never) do
          evaluate("#{FOLDER}autorun/loader.rb", @rest, @rest_time)
          @rest = nil
          @awake = Loader.begin(@index, @sections_at)
        rescue ::StandardError, ::ScriptError => e
          raise unless ours?(e)

          $stderr.puts "frugal: stands aside: #{e.message} (#{e.class})" if ::ENV["FRUGAL_VERBOSE"] == "1"
        end
        @awake
      end

      # Removes autorun.rb from $LOADED_FEATURES. Before Ruby 3.3, it stays there until the list is about to be read:
      # removing a feature makes these Rubies resolve all others again, which is some 360 calls.
      def hide(file)
        @hidden = file
        $LOADED_FEATURES.delete(file) if ::RUBY_VERSION.to_f >= 3.3
        nil
      end

      # Called for each file that is about to be loaded. After {FILES} of them, bytecode of files is kept. Once frugal
      # is awake, {Autorun.loading} calls this method.
      def count_file
        return unless @left && (@left -= 1).zero?

        @left = nil
        Autorun.keep_bytecode(@cache) if wake
      end

      # Whether the program has a constant, not only its autoload.
      def loaded?(name) = ::Object.const_defined?(name, false) && !::Object.autoload?(name)

      private

      # Replaces the methods of Dir. The bytecode file has seven numbers here, then the parts that they describe.
      def place(bytes, from)
        entrance, time, glob, at, rest, @rest_time, index = bytes.byteslice(from, 56).unpack("Q>7")
        from += 56
        entrance, glob, at, @rest, @index = [entrance, glob, at, rest, index].map do |size|
          bytes.byteslice(from, size).tap { from += size }
        end
        @sections_at = from
        evaluate("#{FOLDER}dropin/dir/entrance.rb", entrance, time)
        return if Dropin::Dir.changed

        Dropin::Dir.replace { |name| LOAD.call(name == :glob ? glob : at).eval }
        Dropin::Dir.first_deep = -> { wake && Dropin::Dir.load_walk }
      end

      # Waits for upstreams, unless one is already loaded. Hides autorun.rb from $LOADED_FEATURES when the next script
      # is compiled: then the `require` of autorun.rb is over. {call} calls this method last, because an upstream that
      # is already loaded may call `require`.
      def wait(file)
        wake if CONSTANTS.any? { |name| loaded?(name) }
        ::Object.class_eval { remove_const(:Frugal) }
        ::Object.autoload(:Frugal, "#{FOLDER}autorun/constant.rb")
        @cache = ::ENV["FRUGAL_BOOT"]
        @left = FILES if @cache&.start_with?("/")
        event = ::TracePoint.new(:script_compiled) do |compiled|
          file &&= hide(file)
          next event.disable if @awake
          # Ignores strings given to eval: they are not upstream files, and there may be millions of them.
          next if compiled.eval_script

          arrive(compiled.instruction_sequence)
          count_file unless @awake
        end
        event.enable
      end

      def arrive(script)
        path = script.absolute_path || script.path
        Autorun.loading(path, script) if path.end_with?(*ENDINGS) && wake
      end

      # @return [Object] the value of the last statement of a file of frugal
      def evaluate(path, bytecode, seconds)
        return LOAD.call(bytecode).eval if bytecode && STAT.call(path).mtime.to_i == seconds

        source = OPEN.call(path) { |io| io.sysread(65_536) }
        return EVAL.bind(SCOPE.call).call(source, path, 1) if ::RUBY_VERSION.to_f >= 4.0 || !COMPILE

        COMPILE.call(source, path, path).eval
      end

      # Whether an error comes from frugal. An error that a thread, a timer or a signal handler raises is the program's.
      def ours?(error)
        paths = error.backtrace_locations&.map(&:path)
        place = paths&.find { |path| !path.start_with?("<internal:") && !path.end_with?(".java") }
        place.nil? || place.start_with?(FOLDER)
      end
    end
  end
end

# Returns the scope in which sources are evaluated. In the scope of TOPLEVEL_BINDING, the refinements of the main
# program would be active.
FrugalRuntime::Start::SCOPE = binding.method(:dup)
