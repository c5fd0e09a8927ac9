# frozen_string_literal: true

require_relative "../native"
require_relative "../walk/fast_glob"
require_relative "guard"
require_relative "replace"
require_relative "rake/trust"
require_relative "rake/invocation"
require_relative "rake/pathmap"
require_relative "rake/frames"
require_relative "rake/file_list"
require_relative "rake/patches"

module Frugal
  module Dropin
    # Makes Rake ask the kernel about each file once.
    #
    #   require "frugal/rake"      # in a Rakefile, or: frugal run -- rake
    #
    # Stock Rake walks the whole closure of every file task and asks for each
    # file up to nine times. Here a native walk invokes tasks in Rake's order,
    # keeps what the kernel said until user code runs, and hands everything that
    # it cannot prove to Rake's own methods.
    #
    # Cost: one stat(2) for each distinct name between two actions; no exception
    # for a missing output.
    module Rake
      # What the differential fuzzer and Rake's own suites are run against.
      KNOWN_VERSIONS = ("13.0".."13.4").freeze

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          version = ::Rake::VERSION.to_s
          return "Rake #{version} is not known (13.0 to 13.4 are)" unless Guard.version_in?(version, KNOWN_VERSIONS)

          Trust.stranger_reason
        end

        # Patches the loaded Rake.
        def install
          @plan_class = Native.engine.const_get(:RakePlan)
          @walk_class = Native.engine.const_get(:RakeWalk)
          # Before 13.1, Rake asked File.exist? first: any fault was a missing file.
          @plan_class.adopt(!Guard.version_in?(::Rake::VERSION, "13.0".."13.0"))
          Patches.apply(Guard.folder(::Rake::Task, :invoke), @plan_class)
          Trust.begin(@plan_class)
        end

        # What is known of an application's files.
        #
        # @return [RakePlan, nil] nil where Rake's own way must be taken
        def plan(application)
          return unless Trust.intact?(application)

          plan = @plan_class.of(application)
          plan.build_all = application.options.build_all
          plan
        end

        # An answer for a caller whose code ran before and runs after: fresh.
        def answer(application)
          plan = plan(application) or return
          plan.forget
          yield plan
        end

        def walk(plan, task, arguments, chain)
          @walk_class.new(plan, task, arguments, chain)
        end

        # @return [Task, nil] nil for a definition that Rake has to read
        def define(application, task_class, arguments, &block)
          @plan_class.define(application, task_class, arguments, &block)
        end
      end
    end
  end
end
