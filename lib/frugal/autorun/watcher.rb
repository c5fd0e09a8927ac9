# frozen_string_literal: true

require_relative "../dropin/dir/entrance"

module Frugal
  # Notices that an upstream is being loaded, and hands over to its drop-in, which
  # is read only then. However it is loaded (+require+, +load+, +require_relative+,
  # autoload, Bundler, bootsnap's cache of bytecode), that ends in the VM's event
  # "script compiled"; see docs/adr/0001.
  #
  #   Autorun.watch(:rake)
  #   require "rake"         # the next statement finds the drop-in installed
  module Autorun
    # The end of an upstream's path => its drop-in, its constant, its gem.
    UPSTREAMS = {
      "/rake.rb" => %i[rake Rake rake], "/find.rb" => %i[find Find find], "/pstore.rb" => %i[pstore PStore pstore],
      "/fileutils.rb" => %i[fileutils FileUtils fileutils],
      "/active_support/cache/file_store.rb" => %i[active_support ActiveSupport activesupport],
      "/sprockets/path_utils.rb" => %i[sprockets Sprockets sprockets],
      "/sinatra/base.rb" => %i[sinatra Sinatra sinatra]
    }.freeze
    # What looks at $LOADED_FEATURES: the key of its cache.
    READER = "/rubocop/result_cache.rb"
    FOLDER = "#{::File.expand_path("..", __dir__)}/"
    private_constant :READER, :FOLDER

    @pending = {} # drop-ins whose upstream is not here yet
    @late = {}    # the end of a path => what to do at the end of that file
    @seen = {}    # drop-ins of whose upstream a part is here
    @traces = []  # of single files
    @ended = {}.compare_by_identity # those that are done, and not disabled yet
    @compiled = TracePoint.new(:script_compiled) do |event|
      # A string given to eval is no upstream, and may come by the million.
      compiled(event.instruction_sequence) unless event.eval_script
    end

    class << self
      # Waits for the upstream of a drop-in; installs at once when it is here.
      #
      # @param name [Symbol]
      # @return [void]
      def watch(name)
        return if @pending[name]

        _, constant, = UPSTREAMS.each_value.find { |drop_in, *| drop_in == name }
        @pending[name] = true
        @compiled.enable unless @compiled.enabled?
        ours { arrived(name) } if Object.const_defined?(constant, false) && !Object.autoload?(constant)
      end

      # Calls the block at the end of the module in a file that a drop-in does not wait for.
      #
      # @param ending [String] of the file's path
      # @return [void]
      def afterwards(ending, &arrival)
        @late[ending] = arrival
        @compiled.enable unless @compiled.enabled?
      end

      # Dir is there from the start: its drop-in is read at the first pattern that it may answer.
      #
      # @return [void]
      def watch_dir
        Dropin::Dir.wait_for { ours { arrived(:dir) } } unless Dropin::Dir.changed
      end

      # @param name [Symbol]
      # @return [Boolean] whether that drop-in will be installed when it is needed
      def waiting?(name) = @pending.key?(name) || (name == :dir && Dropin::Dir.waiting?)

      # Ends the wait: the drop-in is on, off, or stands aside.
      #
      # @param name [Symbol]
      # @return [void]
      def settled(name)
        @pending.delete(name)
        rest
      end

      private

      # A file is about to be evaluated.
      def compiled(script)
        path = script.absolute_path || script.path
        ending, (name, _, gem) = UPSTREAMS.find { |suffix, _| path.end_with?(suffix) }
        if ending && @pending[name] && !path.start_with?(FOLDER)
          ours { at_last_line(script, name) if home?(path, gem) }
        elsif (late = @late.keys.find { |suffix| path.end_with?(suffix) })
          ours { at_module_end(script) { late_arrived(late) } }
        elsif path.end_with?(READER)
          Parts.conceal_all if defined?(Parts)
        elsif !@seen.empty?
          ours { @seen.keys.each { |seen| arrived(seen) if @pending[seen] } }
        end
      end

      def home?(path, gem)
        Parts.need("#{FOLDER}dropin/home.rb") unless defined?(Dropin::Home)
        Dropin::Home.of?(path, gem.name)
      end

      # Installs before the last statement of the file is evaluated: all that it
      # requires is there, and its requirer has not gone on.
      def at_last_line(script, name)
        line, = script.trace_points.reverse_each.find { |_, event| event == :line }
        return unless line

        trace(:line, script) do |event, trace|
          next unless event.lineno == line

          ends(trace)
          arrived(name)
          at_module_end(script) { arrived(name) if @pending[name]; !@pending[name] } if @pending[name]
        end
      end

      # The last statement may be the very module that is awaited, and others may
      # end in it: the block reports whether it was the one.
      def at_module_end(script)
        trace(:end, script) { |_, trace| ends(trace) if yield }
      rescue ArgumentError # nothing in it ends
        nil
      end

      def trace(kind, script)
        trace = TracePoint.new(kind) { |event| ours { yield event, trace } unless @ended[trace] }
        @traces << trace
        trace.enable(target: script)
      rescue ArgumentError
        @traces.delete(trace)
        raise
      end

      # In the middle of a line that it traces, Ruby 3.1 may count that line twice in
      # Coverage: it is disabled as the next method of Ruby's own returns.
      def ends(trace)
        @ended[trace] = true
        stop = TracePoint.new(:c_return) do
          stop.disable
          trace.disable
          @traces.delete(trace)
          @ended.delete(trace)
        end
        stop.enable
      end

      def arrived(name)
        @seen[name] = true
        Parts.need("#{FOLDER}dropin.rb") unless defined?(Dropin.enable)
        Dropin.enable(name) if defined?(Dropin.enable) # else another thread is reading it
      end

      def late_arrived(ending)
        @late.delete(ending)&.call
        rest
        true
      end

      def rest
        @compiled.disable if @pending.empty? && @late.empty? && @compiled.enabled?
      end

      # Runs ours in the middle of the program's work: what fails here ends the
      # watch, and what a thread, a timer or a signal's handler raises goes on.
      def ours
        Thread.handle_interrupt(Object => :never) do
          yield
        rescue StandardError, ScriptError => e
          # As in dropin/own_failure.rb, which is not loaded yet.
          place = e.backtrace_locations&.find { |line| !line.path.start_with?("<internal:") }
          raise unless place.nil? || place.path.start_with?(FOLDER)

          give_up(e)
        end
      end

      # A program must run as it would without us, whatever failed here.
      def give_up(error)
        @pending.clear
        @late.clear
        [@compiled, *@traces].each { |trace| trace.disable if trace.enabled? }
        return unless ENV["FRUGAL_VERBOSE"] == "1"

        $stderr.puts "frugal: stands aside: #{error.message} (#{error.class})"
      rescue SystemCallError, IOError
        nil # the program has closed it
      end
    end
  end

  # In a process of `frugal run` all drop-ins are wanted; for Frugal.enable only what is asked for.
  unless defined?(Dropin.enable)
    Autorun::UPSTREAMS.each_value { |name, *| Autorun.watch(name) }
    Autorun.watch_dir
  end
end
