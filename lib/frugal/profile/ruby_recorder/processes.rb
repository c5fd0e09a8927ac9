# frozen_string_literal: true

# Methods that start and end processes. A Ruby that the program starts records itself: it gets the variables with which
# this process was started, and which ENV no longer shows.
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
      [Kernel, Process].each { |owner| owner.singleton_class.prepend(Children::Starting) }
      Kernel.singleton_class.prepend(Children::Shell)
      [Children::Starting, Children::Shell].each { |methods| Kernel.prepend(without_receiver(methods)) }
      IO.singleton_class.prepend(Children::Pipes)
      Process.singleton_class.prepend(Children::Forking) if Process.respond_to?(:_fork)
      flush_at_exit
    end

    # @param args [Array] the arguments of Process.spawn
    # @return [Array] the arguments with the variables
    def with_environment(args)
      given = Hash.try_convert(args.first)
      options = given&.key?("RUBYOPT") ? given["RUBYOPT"] : options_of(args)
      ours = { "FRUGAL_RUBY_RECORDING" => @settings, "RUBYOPT" => [@option, *options].join(" ") }
      given ? [given.merge(ours), *args.drop(1)] : [ours, *args]
    end

    # Sets the variables in ENV during the block, for a method that takes no environment.
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

    # Records an exec, which only returns if it fails.
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

    # @return [Integer, nil] the pid of the command that ended last
    def last_pid = PROCESS.last_status&.pid

    private

    # A signal such as TERM ends the Java virtual machine without the handlers of Ruby, but with the hooks of Java.
    def flush_at_exit
      ended = false
      at_exit do
        Exceptions.ignore # JRuby may raise another exception, at a point without a line of Ruby for a TracePoint
        Recorder.flush
        ended = true
      end
      return unless RUBY_ENGINE == "jruby"

      hook = Java::JavaLang::Thread.new { Recorder.flush unless ended }
      Java::JavaLang::Runtime.runtime.add_shutdown_hook(hook)
    end

    # Returns a copy with private methods: Kernel's are private, so no object responds to them.
    def without_receiver(methods)
      methods.dup.tap { |copy| copy.module_eval { private(*instance_methods(false)) } }
    end

    def hide
      rest = ENVIRONMENT["RUBYOPT"].to_s.split - [@option]
      ENVIRONMENT["RUBYOPT"] = rest.empty? ? nil : rest.join(" ")
    end

    def options_of(args)
      ENVIRONMENT["RUBYOPT"] unless Hash === args.last && args.last[:unsetenv_others]
    end
  end
end
