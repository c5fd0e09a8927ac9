# frozen_string_literal: true

# What <tt>frugal run</tt> loads into every Ruby process: it notices that an
# upstream is being loaded and hands over to the drop-ins, which are read only
# then. +require+ stays as it is, since a wrapper would show in backtraces.
#
# An old or foreign Ruby among the children reads this file too: the syntax
# stays plain, and such a Ruby leaves at once.
#
# Cost: this one file; 27 system calls in a folder five levels deep.
off = ENV["FRUGAL"].to_s.b =~ /\A(?:0|off|no|false)\z/i # as in dropin/switch.rb
if RUBY_ENGINE == "ruby" && RUBY_VERSION.to_f >= 3.1 && !off
  module Frugal
    # Watches for upstreams, however they are loaded: +require+, +load+,
    # +require_relative+, autoload, Bundler, or bootsnap's cache of bytecode.
    # Each of them ends in the VM's event "script compiled".
    module Autorun
      # The end of an upstream's path => its drop-in and its constant.
      UPSTREAMS = { "/rake.rb" => [:rake, :Rake], "/find.rb" => [:find, :Find], "/pstore.rb" => [:pstore, :PStore],
                    "/fileutils.rb" => [:fileutils, :FileUtils],
                    "/active_support/cache/file_store.rb" => [:active_support, :ActiveSupport],
                    "/sprockets/path_utils.rb" => [:sprockets, :Sprockets],
                    "/sinatra/base.rb" => [:sinatra, :Sinatra] }.freeze
      OWN = "#{__dir__}/"

      @pending = {}
      @late = {}
      @seen = {}
      @last_line = []
      @compiled = TracePoint.new(:script_compiled) do |event|
        # A string given to eval is no upstream, and may come by the million.
        compiled(event.instruction_sequence) unless event.eval_script
      rescue StandardError, ScriptError => error
        give_up(error)
      end

      class << self
        # Waits for the upstream of a drop-in; installs at once when it is here.
        #
        # @param name [Symbol]
        # @return [void]
        def watch(name)
          return if @pending[name]

          constant = UPSTREAMS.each_value.find { |drop_in, _| drop_in == name }.last
          @pending[name] = true
          @compiled.enable unless @compiled.enabled?
          arrived(name) if Object.const_defined?(constant)
        rescue StandardError, ScriptError => error
          give_up(error)
        end

        # Calls the block at the end of the module in a file that a drop-in does not wait for.
        #
        # @param ending [String] of the file's path
        # @return [void]
        def afterwards(ending, &arrival)
          @late[ending] = arrival
          @compiled.enable unless @compiled.enabled?
        end

        # Dir is there from the start: its drop-in is read at the first pattern that
        # it may answer, and until then these two ask.
        #
        # @return [void]
        def watch_dir
          (@dir = Dir.singleton_class).class_eval do
            alias_method :frugal_waiting_glob, :glob
            alias_method :frugal_waiting_at, :[]
            def glob(*patterns, **options, &block)
              __send__(Autorun.dir_arrives?(patterns) ? :glob : :frugal_waiting_glob, *patterns, **options, &block)
            end

            def [](*patterns, **options)
              __send__(Autorun.dir_arrives?(patterns) ? :[] : :frugal_waiting_at, *patterns, **options)
            end
          end
        end

        # @param patterns [Array] what Dir was asked for
        # @return [Boolean] whether its own methods are back, or the drop-in's
        def dir_arrives?(patterns)
          deep = patterns.any? { |one| (one.instance_of?(Array) ? one : [one]).any? { |pattern| deep?(pattern) } }
          return !@dir unless deep && Ractor.current.equal?(Ractor.main) # others may not set @dir

          dir, @dir = @dir, nil
          restore(dir) if dir
          true
        end

        # @param name [Symbol]
        # @return [Boolean] whether that drop-in will be installed when it is needed
        def waiting?(name)
          @pending.key?(name) || (name == :dir && !@dir.nil?)
        end

        # Ends the wait: the drop-in is on, off, or stands aside.
        #
        # @param name [Symbol]
        # @return [void]
        def settled(name)
          @pending.delete(name)
          rest
        end

        private

        def deep?(pattern) = pattern.instance_of?(String) && pattern.ascii_only? && pattern.include?("**/")

        # A file is about to be evaluated.
        def compiled(script)
          path = script.path
          ending, (name,) = UPSTREAMS.find { |suffix, _| path.end_with?(suffix) }
          if ending && @pending[name] && !path.start_with?(OWN)
            at_last_line(script) do
              arrived(name)
              at_module_end(script) { arrived(name) if @pending[name]; !@pending[name] } if @pending[name]
            end
          elsif (late = @late.keys.find { |suffix| path.end_with?(suffix) })
            at_module_end(script) { late_arrived(late) }
          elsif !@seen.empty?
            @seen.keys.each { |seen| arrived(seen) if @pending[seen] }
          end
        end

        # Calls the block before the last statement of the file is evaluated:
        # all that it requires is there, and its requirer has not gone on.
        def at_last_line(script, &arrival)
          line, = script.trace_points.reverse_each.find { |_, event| event == :line }
          return unless line

          trace = TracePoint.new(:line) do
            trace.disable
            @last_line.delete(trace)
            arrival.call
          rescue StandardError, ScriptError => error
            give_up(error)
          end
          @last_line << trace
          trace.enable(target: script, target_line: line)
        end

        # The last statement may be the very module that is awaited, and others may
        # end in it: the block says whether it was the one.
        def at_module_end(script, &arrival)
          trace = TracePoint.new(:end) do
            next unless arrival.call

            trace.disable
            @last_line.delete(trace)
          rescue StandardError, ScriptError => error
            give_up(error)
          end
          @last_line << trace
          trace.enable(target: script)
        rescue ArgumentError # nothing in it ends
          @last_line.delete(trace)
        end

        def arrived(name)
          require_relative "dropin" unless defined?(Dropin.enable)
          @seen[name] = true
          Dropin.enable(name)
        end

        def late_arrived(ending)
          @late.delete(ending)&.call
          rest
          true
        end

        def rest
          @compiled.disable if @pending.empty? && @late.empty? && @compiled.enabled?
        end

        # Aliases first, so that Ruby does not warn of a redefinition.
        def restore(dir)
          dir.class_eval do
            { glob: :frugal_waiting_glob, "[]": :frugal_waiting_at }.each do |name, waiting|
              alias_method :frugal_waited, name
              alias_method name, waiting
              remove_method :frugal_waited, waiting
            end
          end
          arrived(:dir)
        end

        # A program must run as it would without us, whatever failed here.
        def give_up(error)
          @pending.clear
          @late.clear
          [@compiled, *@last_line].each { |trace| trace.disable if trace.enabled? }
          return unless ENV["FRUGAL_VERBOSE"] == "1"

          $stderr.puts "frugal: stands aside: #{error.message} (#{error.class})"
        end
      end
    end

    # Loaded by -r, there is nothing else of frugal yet, and all are wanted;
    # loaded for Frugal.enable, only what was asked for.
    unless defined?(Dropin)
      Autorun::UPSTREAMS.each_value { |name, _| Autorun.watch(name) }
      Autorun.watch_dir
    end
  end
elsif off && ENV["FRUGAL_VERBOSE"] == "1"
  $stderr.puts "frugal: all drop-ins: off: FRUGAL=#{ENV["FRUGAL"]}"
end
