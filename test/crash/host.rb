# frozen_string_literal: true

require "io/wait"
require "rbconfig"
require_relative "subject"

module Safety
  # A long-lived process that runs one subject and does what it is asked: see
  # {Guest} for what it can do.
  #
  #   Host.open(Subject.new("stock-0.3.0")) { |host| host.read("a.store") }   # => {"a" => 1}
  class Host
    # A request that was not answered in time: for a store, a deadlock.
    class Hang < StandardError; end
    class Failure < StandardError; end

    PATIENCE = 120 # s; two cores may be shared by many

    def self.open(subject)
      host = new(subject)
      yield host
    ensure
      host&.close
    end

    attr_reader :subject

    def initialize(subject)
      raise Failure, subject.missing if subject.missing

      @subject = subject
      command = [RbConfig.ruby, "-W1", *subject.ruby_options, "#{__dir__}/guest.rb", subject.name]
      requests, @requests = IO.pipe(binmode: true)
      @replies, replies = IO.pipe(binmode: true)
      @pid = spawn(subject.environment, *command, in: requests, out: replies)
      [requests, replies].each(&:close)
    end

    # What {Guest} can do. Its exceptions come back as {Failure}.
    %i[apart read verify record fault storm count join announce watch read_bytes follow_tree follow_server].each do |request|
      define_method(request) { |*arguments| ask(request, arguments) }
    end

    def close
      @requests.close
      Process.wait(@pid)
    end

    private

    def ask(request, arguments)
      Marshal.dump([request, arguments], @requests)
      unless @replies.wait_readable(PATIENCE)
        Process.kill(:KILL, @pid)
        raise Hang, "#{subject} did not answer #{request} within #{PATIENCE} s"
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
