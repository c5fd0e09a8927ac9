# frozen_string_literal: true

# Wrappers of the methods that start processes, see Processes.
module Children
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
      Waits.note unless result.nil? && $!.nil? # nil for a command that does not exist
    end

    def `(command)
      start = Recorder.now
      output = Processes.in_environment { super }
      Processes.started(:spawn, Processes.last_pid, start)
      output
    ensure
      Exceptions.trim($!) if $!
      Waits.note
    end
  end

  # Of IO.
  module Pipes
    ruby2_keywords def popen(*args, &block)
      start = Recorder.now
      args = Processes.with_environment(args) unless args.first == "-"
      return super.tap { |io| Processes.started(:spawn, io&.pid, start) } unless block

      super do |io|
        Processes.started(:spawn, io&.pid, start)
        yield io
      end
    ensure
      Exceptions.trim($!) if $!
      Waits.note if block # for the end of the child
    end
  end

  # Of Process: Ruby calls `_fork` for each fork.
  module Forking
    def _fork
      pid = super
      pid.zero? ? Recorder.forked : Processes.started(:fork, pid)
      pid
    end
  end
end
