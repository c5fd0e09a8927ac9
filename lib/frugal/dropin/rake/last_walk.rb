# frozen_string_literal: true

require_relative "../../constants"

module Frugal
  module Dropin
    module Rake
      # Proves that only the end of the process follows a walk, so that no code can look at the tasks that the walk
      # would make for source files: the command `rake` has one task to invoke, no code of the program is in progress,
      # and none is called at the end (RakePlan.silent_end?). Anything unusual counts as not proven.
      module LastWalk
        # A walk of fewer tasks saves less than the proof costs.
        MIN_TASKS = 512
        # The methods in progress, the outermost last; then the text from the current line to the end of the last two
        # files: Rake's exe/rake, and the command that RubyGems writes for it.
        FRAMES = %w[invoke_with_call_chain invoke invoke_task top_level each top_level run_with_threads top_level run
                    standard_exception_handling run].freeze
        EXECUTABLE = "Rake.application.run\n"
        BINSTUBS = [
          "load Gem.activate_bin_path('rake', 'rake', version)\nelse\ngem \"rake\", version\n" \
          "load Gem.bin_path(\"rake\", \"rake\", version)\nend\n"
        ].freeze
        # Rake calls methods of these modules when it ends, also after an Interrupt.
        MODULES = %i[Application TaskManager TraceOutput ThreadPool Options].freeze

        class << self
          # @param folder [String] Rake's own, with its last slash
          # @param plan_class [Class] the engine's
          def prepare(folder, plan_class)
            @folder = folder
            @plan_class = (plan_class if plan_class.respond_to?(:silent_end?))
          end

          # @return [Boolean] whether the walk that is about to begin is the last thing that runs
          #
          # *Cost*: for fewer than {MIN_TASKS} tasks, a look at the application; else two files are read.
          def proven?(application, chain)
            return false unless @plan_class && large?(application) && chain.equal?(::Rake::InvocationChain::EMPTY)

            one_task?(application) && @plan_class.silent_end? && only_rake?(caller_locations) && stock?
          rescue ::SystemCallError, ::NameError
            false
          end

          private

          def large?(application)
            tasks = application.instance_variable_get(:@tasks)
            tasks.instance_of?(::Hash) && tasks.size >= MIN_TASKS
          end

          def one_task?(application)
            names = application.instance_variable_get(:@top_level_tasks)
            application.instance_of?(::Rake::Application) && application.singleton_methods.empty? &&
              application.equal?(::Rake.application) && names.instance_of?(::Array) && names.size == 1 &&
              no_statistics?(application.instance_variable_get(:@options))
          end

          # The reader is called only if it is Rake's or an OpenStruct's: a program would notice the call of its own
          # reader.
          def no_statistics?(options)
            reader = options.method(:job_stats)
            return false unless own?(reader) || of_file?(reader, options.class.instance_method(:each_pair))

            !options.job_stats
          end

          def of_file?(method, other) = method.source_location&.first == other.source_location&.first

          # Whether each frame is frugal's, Rake's way from its command to a task, or the last line of a command.
          def only_rake?(frames)
            frames = frames.drop_while { |frame| frame.path.start_with?(Frames::FRUGAL) }
            own = frames.shift(FRAMES.size)
            commands = frames.reject { |frame| frame.base_label == "load" }
            own.map(&:base_label) == FRAMES && own.all? { |frame| rakes_own?(frame) } &&
              ends_with?(commands.shift, [EXECUTABLE]) &&
              (commands.empty? || (ends_with?(commands.shift, BINSTUBS) && commands.empty?))
          end

          # Ruby's own Array#each has the place of its caller, or is written in Ruby and has its own place.
          def rakes_own?(frame)
            frame.path.start_with?(@folder) || (frame.base_label == "each" && frame.path.start_with?("<internal:"))
          end

          def ends_with?(frame, endings)
            return false unless frame && ["<main>", "<top (required)>"].include?(frame.label) && frame.absolute_path

            endings.include?(File.readlines(frame.absolute_path).drop(frame.lineno - 1).join)
          end

          # Whether Rake's own methods do everything that is left to do.
          def stock?
            MODULES.filter_map { |name| Constants.loaded("Rake::#{name}") }.all? { |owner| own_methods?(owner) }
          end

          def own_methods?(owner)
            (owner.instance_methods(false) + owner.private_instance_methods(false)).all? do |name|
              own?(owner.instance_method(name))
            end
          end

          # A method that is written in C has no path.
          def own?(method)
            path = method.source_location&.first
            path.nil? || path.start_with?(@folder, Frames::FRUGAL)
          end
        end
      end
    end
  end
end
