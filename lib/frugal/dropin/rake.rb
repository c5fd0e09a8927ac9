# frozen_string_literal: true

require_relative "../native"
require_relative "../walk/fast_glob" if Frugal::Native.engine_name == :c # see FileList.dir_glob_replaceable?
require_relative "guard"
require_relative "replace"
require_relative "rake/hooks"
require_relative "rake/invocation"
require_relative "rake/pathmap"
require_relative "rake/frames"
require_relative "rake/last_walk"
require_relative "rake/file_list"
require_relative "rake/patches"

module Frugal
  module Dropin
    # Makes Rake ask the kernel about each file once.
    #
    #   require "frugal/rake"      # in a Rakefile, or: frugal run -- rake
    #
    # Stock Rake walks all prerequisites of every file task, direct and indirect, and
    # asks for each file up to nine times. Here a native walk invokes the tasks in
    # Rake's order. It keeps the kernel's answers until user code runs, and calls
    # Rake's own methods wherever it cannot prove the result.
    #
    # *Cost*: one stat(2) for each distinct name between two actions; no exception
    # for a missing output.
    module Rake
      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          Hooks.redefined_reason
        end

        # Patches the loaded Rake.
        def install
          @plan_class = Native.engine.const_get(:RakePlan)
          @walk_class = Native.engine.const_get(:RakeWalk)
          # Before 13.1, Rake called File.exist? first, so any fault counted as a missing file.
          @plan_class.adopt(!Guard.version_in?(::Rake::VERSION, "13.0".."13.0"))
          Patches.apply(Guard.folder(::Rake::Task, :invoke), @plan_class)
          Hooks.watch(@plan_class)
        end

        # The plan of an application: its tasks, and the kernel's answers about its files.
        #
        # @return [RakePlan, nil] nil if only Rake's own methods may be used
        def plan(application)
          return unless Hooks.intact?(application)

          plan = @plan_class.of(application)
          plan.build_all = application.options.build_all
          plan
        end

        # @return [Boolean, nil] nil if Rake has to decide
        def needed?(application, task)
          fresh_plan(application)&.needed?(task)
        end

        # @return [Time, false, nil] false for a miss; nil if Rake has to ask
        def mtime(application, task)
          fresh_plan(application)&.mtime(task)
        end

        # @return [Boolean, nil] nil if Rake has to decide
        def out_of_date?(application, task, stamp)
          fresh_plan(application)&.out_of_date?(task, stamp)
        end

        # @return [RakeWalk] a walk that has not started
        def walk(plan, task, arguments, chain)
          @walk_class.new(plan, task, arguments, chain)
        end

        # @return [Task, nil] nil for a definition that only Rake can interpret
        def define(application, task_class, arguments, &block)
          @plan_class.define(application, task_class, arguments, &block)
        end

        private

        # The plan without earlier answers about files, since user code may have changed them.
        def fresh_plan(application)
          plan = plan(application) or return
          plan.invalidate
          plan
        end
      end
    end
  end
end
