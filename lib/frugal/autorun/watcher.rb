# frozen_string_literal: true

require_relative "../dropin/dir/entrance"

module Frugal
  # Notices that an upstream library is being loaded, and then loads and installs its
  # drop-in. Every way to load a file (`require`, `load`, `require_relative`, autoload,
  # Bundler, bootsnap's cache of bytecode) triggers the TracePoint event
  # `script_compiled`; see docs/adr/0001.
  #
  #   Autorun.watch(:rake)
  #   require "rake"         # the next statement finds the drop-in installed
  module Autorun
    # The end of an upstream file's path => its drop-in, its constant, its gem.
    UPSTREAMS = {
      "/rake.rb" => %i[rake Rake rake], "/find.rb" => %i[find Find find], "/pstore.rb" => %i[pstore PStore pstore],
      "/fileutils.rb" => %i[fileutils FileUtils fileutils],
      "/active_support/cache/file_store.rb" => %i[active_support ActiveSupport activesupport],
      "/sprockets/path_utils.rb" => %i[sprockets Sprockets sprockets],
      "/sinatra/base.rb" => %i[sinatra Sinatra sinatra]
    }.freeze
    # RuboCop reads $LOADED_FEATURES for the key of its cache: before it does, ours are removed.
    FEATURES_READER = "/rubocop/result_cache.rb"
    FOLDER = "#{::File.expand_path("..", __dir__)}/".freeze
    private_constant :FEATURES_READER, :FOLDER

    @pending = {} # drop-ins whose upstream is not loaded yet
    @late = {}    # the end of a path => the block to call at the end of that file
    @seen = {}    # pending drop-ins of which a part of the upstream is loaded
    # The ends of all paths that are awaited.
    @endings = [*UPSTREAMS.keys, FEATURES_READER]
    @traces = [] # TracePoints of single files
    @ended = {}.compare_by_identity # TracePoints that are done but not disabled yet
    @compiled = TracePoint.new(:script_compiled) do |event|
      # Ignores strings given to eval: they are no upstream, and there may be millions of them.
      compiled(event.instruction_sequence) unless event.eval_script
    end

    class << self
      # Waits for the upstream of a drop-in; installs the drop-in at once if the upstream is loaded.
      #
      # @param name [Symbol]
      # @return [void]
      def watch(name)
        return if @pending[name]

        _, constant, = UPSTREAMS.each_value.find { |drop_in, *| drop_in == name }
        @pending[name] = true
        @compiled.enable unless @compiled.enabled?
        protect { arrived(name) } if Object.const_defined?(constant, false) && !Object.autoload?(constant)
      end

      # Calls the block at the end of the module in another file, which no drop-in waits for.
      #
      # @param ending [String] of the file's path
      # @return [void]
      def afterwards(ending, &arrival)
        @late[ending] = arrival
        @endings |= [ending]
        @compiled.enable unless @compiled.enabled?
      end

      # Waits for the first pattern that the drop-in of Dir supports, and loads the drop-in then.
      # Dir itself is always loaded.
      #
      # @return [void]
      def watch_dir
        Dropin::Dir.wait_for { protect { arrived(:dir) } } unless Dropin::Dir.changed
      end

      # @param name [Symbol]
      # @return [Boolean] whether that drop-in will be installed when it is needed
      def waiting?(name) = @pending.key?(name) || (name == :dir && Dropin::Dir.waiting?)

      # Stops waiting, because the drop-in is on, off, or stands aside.
      #
      # @param name [Symbol]
      # @return [void]
      def settled(name)
        @pending.delete(name)
        @seen.delete(name)
        disable_if_done
      end

      private

      # Called when a file is about to be evaluated. Most files end in no awaited name.
      def compiled(script)
        path = script.absolute_path || script.path
        return arrived_later unless path.end_with?(*@endings)

        ending, (name, _, gem) = UPSTREAMS.find { |suffix, _| path.end_with?(suffix) }
        if ending && @pending[name] && !path.start_with?(FOLDER)
          protect { at_last_line(script, name) if home?(path, gem) }
        elsif (late = @late.keys.find { |suffix| path.end_with?(suffix) })
          protect { at_module_end(script) { late_arrived(late) } }
        elsif path.end_with?(FEATURES_READER)
          Parts.conceal_all if defined?(Parts)
        else
          arrived_later
        end
      end

      # Tries again the drop-ins that waited for more of their upstream.
      def arrived_later
        protect { @seen.keys.each { |name| arrived(name) if @pending[name] } } unless @seen.empty?
      end

      def home?(path, gem)
        Parts.need("#{FOLDER}dropin/home.rb") unless defined?(Dropin::Home)
        Dropin::Home.of?(path, gem.name)
      end

      # Installs the drop-in before the last statement of the file is evaluated: by then all that
      # the file requires is loaded, and the code that requires it has not continued.
      def at_last_line(script, name)
        line, = script.trace_points.reverse_each.find { |_, event| event == :line }
        return unless line

        trace(:line, script) do |event, trace|
          next unless event.lineno == line

          finish(trace)
          arrived(name)
          at_module_end(script) { arrived(name) if @pending[name]; !@pending[name] } if @pending[name]
        end
      end

      # Calls the block at the end of each module and class of the file, until the block returns true:
      # the last statement may be the module that is awaited, and may contain others.
      def at_module_end(script)
        trace(:end, script) { |_, trace| finish(trace) if yield }
      rescue ArgumentError # the file has no `end` event
        nil
      end

      def trace(kind, script)
        trace = TracePoint.new(kind) { |event| protect { yield event, trace } unless @ended[trace] }
        @traces << trace
        trace.enable(target: script)
      rescue ArgumentError
        @traces.delete(trace)
        raise
      end

      # Disables a TracePoint. If Coverage is running, waits until the next C method returns: in the middle
      # of a line that it traces, Ruby 3.1 may count that line twice. Otherwise a `:c_return` must be avoided:
      # the first TracePoint of this kind instruments all code of the process, which stays slower for ever.
      def finish(trace)
        return disable(trace) unless coverage?

        @ended[trace] = true
        stop = TracePoint.new(:c_return) do
          stop.disable
          disable(trace)
        end
        stop.enable
      end

      def disable(trace)
        trace.disable
        @traces.delete(trace)
        @ended.delete(trace)
      end

      # Whether Ruby's Coverage is running. The program may have a constant of that name.
      def coverage?
        return false if !Object.const_defined?(:Coverage, false) || Object.autoload?(:Coverage)
        return false unless Module === ::Coverage

        owner = ::Coverage.singleton_class
        owner.method_defined?(:running?) && owner.instance_method(:running?).source_location.nil? && ::Coverage.running?
      end

      def arrived(name)
        @seen[name] = true
        Parts.need("#{FOLDER}dropin.rb") unless defined?(Dropin.enable)
        Dropin.enable(name) if defined?(Dropin.enable) # otherwise another thread is loading dropin.rb
      end

      def late_arrived(ending)
        @late.delete(ending)&.call
        disable_if_done
        true
      end

      def disable_if_done
        @compiled.disable if @pending.empty? && @late.empty? && @compiled.enabled?
      end

      # Runs frugal's code in the middle of the program's. An error in frugal's code ends the
      # watching. An error that a thread, a timer or a signal handler raises is the program's
      # and propagates.
      def protect
        Thread.handle_interrupt(Object => :never) do
          yield
        rescue StandardError, ScriptError => e
          # The same test as in dropin/own_failure.rb, which is not loaded yet.
          place = e.backtrace_locations&.find { |line| !line.path.start_with?("<internal:") }
          raise unless place.nil? || place.path.start_with?(FOLDER)

          give_up(e)
        end
      end

      # Disables everything, so that the program runs as it would without frugal.
      def give_up(error)
        @pending.clear
        @late.clear
        [@compiled, *@traces].each { |trace| trace.disable if trace.enabled? }
        return unless ENV["FRUGAL_VERBOSE"] == "1"

        $stderr.puts "frugal: stands aside: #{error.message} (#{error.class})"
      rescue SystemCallError, IOError
        nil # the program has closed $stderr
      end
    end
  end

  # Under `frugal run` all drop-ins are watched for; otherwise Frugal.enable calls `watch` for each.

  unless defined?(Dropin.enable)
    Autorun::UPSTREAMS.each_value { |name, *| Autorun.watch(name) }
    Autorun.watch_dir
  end
end
