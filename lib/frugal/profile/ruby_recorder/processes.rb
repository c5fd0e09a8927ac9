# frozen_string_literal: true

# Methods that start and end processes. A Ruby that is started records itself: the environment that it gets has the
# variables that this one was started with, and which ENV no longer shows.
module Processes
  ENVIRONMENT = ENV
  PROCESS = Process
  private_constant :ENVIRONMENT, :PROCESS

  class << self
    # @param option [String] which loads the agent, for RUBYOPT
    # @param settings [String] the value of FRUGAL_RUBY_RECORDING
    # @return [void]
    def install(option, settings)
      @option = option
      @settings = settings
      hide
      [Kernel, Kernel.singleton_class, Process.singleton_class].each { |owner| owner.prepend(Starting) }
      IO.singleton_class.prepend(Pipes)
      Kernel.prepend(Shell)
      Process.singleton_class.prepend(Forking) if Process.respond_to?(:_fork)
      at_exit { Recorder.flush }
    end

    # @param args [Array] of Process.spawn
    # @return [Array] with the variables
    def with_environment(args)
      given = Hash.try_convert(args.first)
      options = given&.key?("RUBYOPT") ? given["RUBYOPT"] : inherited(args)
      ours = { "FRUGAL_RUBY_RECORDING" => @settings, "RUBYOPT" => [@option, *options].join(" ") }
      given ? [given.merge(ours), *args.drop(1)] : [ours, *args]
    end

    # For a command that takes no environment.
    #
    # @return [Object] the value of the block
    def in_environment
      before = ENVIRONMENT.to_h.slice("RUBYOPT")
      ENVIRONMENT["RUBYOPT"] = [@option, *before["RUBYOPT"]].join(" ")
      ENVIRONMENT["FRUGAL_RUBY_RECORDING"] = @settings
      yield
    ensure
      ENVIRONMENT["RUBYOPT"] = before["RUBYOPT"]
      ENVIRONMENT.delete("FRUGAL_RUBY_RECORDING")
    end

    # @param pid [Integer, nil]
    # @return [void]
    def started(function, pid, start = Recorder.now)
      return unless pid && Recorder.enter

      Recorder.leave do |time|
        Recorder.append(function, time: start, duration: time - start, bytes: pid, stack: Stacks.here)
      end
    end

    # Records an exec. It does not return unless it has failed.
    #
    # @return [void]
    def executing
      started(:exec, 0)
      Recorder.flush
      yield
    ensure
      error = $!
      number = SystemCallError === error ? error.errno : Errno::EINVAL::Errno
      Recorder.leave { Recorder.with_log { |log| log.fail_last(number) } } if Recorder.enter
    end

    # @return [Integer, nil] of the command that has ended last
    def last_pid = PROCESS.last_status&.pid

    private

    def hide
      rest = ENVIRONMENT["RUBYOPT"].to_s.split(" ") - [@option]
      ENVIRONMENT["RUBYOPT"] = rest.empty? ? nil : rest.join(" ")
    end

    def inherited(args)
      ENVIRONMENT["RUBYOPT"] unless Hash === args.last && args.last[:unsetenv_others]
    end
  end

  # Of Kernel and Process.
  module Starting
    ruby2_keywords def spawn(*args)
      start = Recorder.now
      pid = super(*Processes.with_environment(args))
      Processes.started(:spawn, pid, start)
      pid
    ensure
      Exceptions.trim($!) if $!
    end

    ruby2_keywords def exec(*args)
      Processes.executing { super(*Processes.with_environment(args)) }
    ensure
      Exceptions.trim($!) if $!
    end

    def exit!(*args)
      Recorder.flush
      super
    end
  end

  # Of Kernel.
  module Shell
    ruby2_keywords def system(*args)
      start = Recorder.now
      result = super(*Processes.with_environment(args))
      Processes.started(:spawn, Processes.last_pid, start) unless result.nil?
      result
    ensure
      Exceptions.trim($!) if $!
    end

    def `(command) # rubocop:disable Naming/MethodName -- Ruby's name
      start = Recorder.now
      output = Processes.in_environment { super }
      Processes.started(:spawn, Processes.last_pid, start)
      output
    ensure
      Exceptions.trim($!) if $!
    end
  end

  # Of IO.
  module Pipes
    ruby2_keywords def popen(*args, &block)
      start = Recorder.now
      args = Processes.with_environment(args) unless args.first == "-"
      return super(*args, &block).tap { |io| Processes.started(:spawn, io&.pid, start) } unless block

      super(*args) do |io|
        Processes.started(:spawn, io&.pid, start)
        yield io
      end
    ensure
      Exceptions.trim($!) if $!
    end
  end

  # Of Process, from which Ruby calls it for each fork.
  module Forking
    def _fork
      pid = super
      pid.zero? ? Recorder.forked : Processes.started(:fork, pid)
      pid
    end
  end
  private_constant :Starting, :Shell, :Pipes, :Forking
end
