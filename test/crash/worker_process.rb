# frozen_string_literal: true

require "io/wait"
require "rbconfig"
require_relative "../support/hang"
require_relative "subject"

module Safety
  # A long-lived process that runs one subject. It has the requests of {Worker}.
  #
  #   WorkerProcess.open(Subject.new("stock-0.3.0")) { |worker| worker.read("a.store") }   # => [:table, {"a" => 1}]
  class WorkerProcess
    # A deadlock of the store.
    class Hang < StandardError; end
    class Failure < StandardError; end

    TIME_LIMIT = 120 # seconds until it is asked whether the worker hangs

    def self.open(subject)
      worker = new(subject)
      yield worker
    ensure
      worker&.close
    end

    attr_reader :subject

    def initialize(subject)
      raise Failure, subject.missing if subject.missing

      @subject = subject
      command = [RbConfig.ruby, "-W1", *subject.ruby_options, "#{__dir__}/worker.rb", subject.name]
      requests, @requests = IO.pipe(binmode: true)
      @replies, replies = IO.pipe(binmode: true)
      @pid = spawn(subject.environment, *command, in: requests, out: replies)
      [requests, replies].each(&:close)
    end

    # The requests. An exception in the worker is raised here as {Failure}.
    %i[in_fork read verify record fault storm count join write_and_report watch read_bytes follow_tree
       follow_server].each do |request|
      define_method(request) { |*arguments| send_request(request, arguments) }
    end

    def close
      @requests.close
      Process.wait(@pid)
    end

    private

    def send_request(request, arguments)
      Marshal.dump([request, arguments], @requests)
      hang = ::Hang.new(@pid, TIME_LIMIT)
      until @replies.wait_readable(1)
        next unless hang.found?

        Process.kill(:KILL, @pid)
        raise Hang, "#{subject} does not reply to #{request}: #{hang.reason}"
      end
      reply(request)
    end

    def reply(request)
      verdict, value = Marshal.load(@replies)
      verdict == :ok ? value : raise(Failure, value)
    rescue EOFError
      raise Failure, "#{subject}: the process ended in #{request}", cause: nil
    end
  end
end
