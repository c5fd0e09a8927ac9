# frozen_string_literal: true

# Starts the recorder.
module Start
  # The methods of the agents of `frugal profile --by`, with the same names as in ext/frugal_recorder/ruby_agent.c.
  module ForAgents
    CHANGES = %i[write pwrite copy_file_range rename link symlink truncate utime fork spawn exec].freeze
    private_constant :CHANGES

    class << self
      def group(name) = Recorder.group = name

      def process_group(name) = Recorder.process_group = name

      def mark(name)
        Recorder.leave { |time| Recorder.append(:mark, time: time, path: name) } if Recorder.enter
      end

      def wait_at(method)
        TracePoint.new(:call) do
          Recorder.leave { |time| Recorder.append(:wait, time: time) } if Recorder.enter
        end.enable(target: method)
      end

      def declare(words)
        Recorder.leave { Recorder.with_log { |log| log.definitions.declare(Dir.pwd, words) } } if Recorder.enter
      end

      def changes = Recorder.with_log { |log| CHANGES.sum { |call| log.header.counts[Header::NUMBERS.fetch(call)] } }
    end
  end
  private_constant :ForAgents

  class << self
    # @param settings [String] the value of FRUGAL_RUBY_RECORDING
    # @return [void]
    def call(settings)
      limit, depth, agent, folder = settings.split(":", 4)
      Recorder.start(folder, limit.to_i, depth.to_i)
      Recorder.enter
      Recorder.leave { install("-r#{agent}", settings, folder) }
    end

    private

    def install(option, settings, folder)
      [Questions, Changes, Contents, Directories].each(&:install)
      Processes.install(option, settings)
      Waits.install
      Exceptions.watch
      agent = "#{folder}/agent.rb"
      load_agent(agent) if File.exist?(agent)
    end

    # Loads the agent that names the route, the example or the task of a thread. JRuby lacks methods that the agents
    # need, so it records without an agent.
    def load_agent(file)
      Thread.current[:frugal_recorder] = ForAgents
      load(file, true)
    rescue ArgumentError, NameError
      nil
    ensure
      Thread.current[:frugal_recorder] = nil
    end
  end
end
