# frozen_string_literal: true

require_relative "../constants"

module Frugal
  module Autorun
    # Under `frugal run`, delays the installation of a drop-in until upstream's own methods have been called as often as
    # in a process that gains from it. TracePoints count these calls, so until then nothing is replaced, and the program
    # finds upstream's own methods. An event with a target does not slow down other code (ADR 1). The drop-in's guard
    # detects what the program has redefined meanwhile.
    #
    #   Work.wait(:pstore) { install }   # => true; calls the block when a second transaction has ended
    #
    # *Cost*: no system call, but one stat for each of the first calls of rm_r and cp_r.
    module Work
      # A method whose calls are counted: `owner` returns its class, `limit` is the count that shows that there is work,
      # and `weight` is the method of this module that returns how much one call counts, if not 1.
      Sign = Struct.new(:owner, :name, :event, :limit, :weight)
      # `scope_name` is called once for each file task. `collect_prerequisites` detects much work for few definitions:
      # tasks with many indirect prerequisites. `resolve` is counted at its return, because only stock's result shows
      # how many files a pattern matches. `rm_r` and `cp_r` call the methods that are then replaced.
      SIGNS = {
        rake: [Sign.new(-> { ::Rake::FileTask.singleton_class }, :scope_name, :call, 320, :file_task),
               Sign.new(-> { ::Rake::Task }, :invoke, :call, 1, :walk),
               Sign.new(-> { ::Rake::Task }, :collect_prerequisites, :call, 1_000),
               Sign.new(-> { ::Rake::FileList }, :include, :call, 1, :patterns),
               Sign.new(-> { ::Rake::FileList }, :resolve, :return, 512, :files),
               *%i[pathmap ext].map { |name| Sign.new(-> { ::String }, name, :call, 1_000) }],
        file_update_checker: [Sign.new(-> { ::ActiveSupport::FileUpdateChecker }, :updated?, :call, 1)],
        pstore: [Sign.new(-> { ::PStore }, :transaction, :return, 2)],
        fileutils: [*%i[rm_r cp_r].map { |name| Sign.new(-> { ::FileUtils }, name, :call, 16, :folders) },
                    *%i[mkdir_p remove_entry remove_file copy_entry].map do |name|
                      Sign.new(-> { ::FileUtils }, name, :call, 16)
                    end]
      }.freeze
      # A constant that exists when all of upstream is loaded.
      COMPLETE = { rake: "FileList", pstore: "PStore::EMPTY_MARSHAL_CHECKSUM", fileutils: "FileUtils::DryRun",
                   file_update_checker: "ActiveSupport::FileUpdateChecker" }.freeze
      FRAMES_TO_CLEAN = 12
      READ = ::Kernel.instance_method(:instance_variable_get)
      private_constant :Sign, :SIGNS, :COMPLETE, :FRAMES_TO_CLEAN, :READ

      @walking = false # whether Rake has begun to invoke tasks
      @waiting = {} # drop-in => its TracePoints
      @installs = {} # drop-in => the block

      class << self
        # Whether the installation of a drop-in can wait. It cannot wait for a report (FRUGAL_VERBOSE), after the
        # program has mentioned Frugal, and with Coverage: Ruby 3.1 may count the line of an event twice.
        #
        # @param name [Symbol]
        def possible?(name)
          Loader.frugal_run? && !@over && SIGNS.key?(name) && ENV["FRUGAL_VERBOSE"] != "1" && !Loading.coverage?
        end

        # @param name [Symbol]
        def waiting?(name) = @waiting.key?(name)

        # Calls the block when there is work. Does nothing as long as upstream is not complete.
        #
        # @param name [Symbol]
        # @return [void]
        def wait(name, &install)
          return if waiting?(name) || !Constants.loaded(COMPLETE[name])

          @installs[name] = install
          @waiting[name] = traces = []
          SIGNS[name].each { |sign| traces << trace(name, sign) }
        rescue ArgumentError, NameError # upstream lacks the method, or it was replaced: the guard reports that
          install(name)
        end

        # Installs all waiting drop-ins. From now on, no drop-in waits.
        #
        # @return [void]
        def finish
          @over = true
          @waiting.keys.each { |name| install(name) }
        end

        # Stops counting, and installs no waiting drop-in.
        #
        # @return [void]
        def give_up
          @over = true
          @waiting.each_value { |traces| traces.each(&:disable) }
          @waiting.clear
        end

        private

        def trace(name, sign)
          count = 0
          trace = TracePoint.new(sign.event) do |event|
            count += sign.weight ? Autorun.protect { __send__(sign.weight, event) } || 0 : 1
            install(name) if count >= sign.limit
          end
          trace.enable(target: sign.owner.call.instance_method(sign.name))
          trace
        end

        # Rake's drop-in is installed together with all others, because its walk proves that no TracePoint watches the
        # tasks.
        def install(name)
          @waiting.delete(name)&.each(&:disable)
          @installs.delete(name)&.call
          finish if name == :rake && !@over
        end

        # Tasks that the program defines will be walked. For those that a walk itself makes for sources, most of the
        # gain is lost.
        #
        # @return [Numeric]
        def file_task(_) = @walking ? 0.125 : 1

        # @return [Integer]
        def walk(_)
          @walking = true
          0
        end

        # @return [Integer] 1 for a pattern; 0 for one of rake/clean, whose results few programs use
        def patterns(event)
          names = event.binding.local_variable_get(:filenames)
          return 0 unless names.any? { |name| name.instance_of?(::String) && name.include?("*") }

          caller_locations(1, FRAMES_TO_CLEAN).any? { |frame| frame.path.end_with?("/rake/clean.rb") } ? 0 : 1
        end

        # @return [Integer] how many paths a list has
        def files(event)
          paths = READ.bind_call(event.self, :@items)
          paths.instance_of?(::Array) ? paths.size : 0
        end

        # A folder without subfolders is little work, unless it is large itself. On file systems where the number of
        # links does not show how many subfolders there are, the number is 1.
        #
        # @return [Integer]
        def folders(event)
          scope = event.binding
          name = %i[list src].find { |one| scope.local_variable_defined?(one) } or return 1
          list = scope.local_variable_get(name)
          path = list.instance_of?(::Array) ? list.first : list
          return 1 unless path.instance_of?(::String)

          stat = Start::STAT.call(path)
          stat.directory? && (stat.nlink != 2 || stat.size > 4_096) ? 16 : 1
        rescue ::SystemCallError, ::ArgumentError
          1
        end
      end
    end
  end
end
