# frozen_string_literal: true

require_relative "subject"
require_relative "workloads"
require_relative "traced_fork"
require_relative "recording"
require_relative "guest_faults"
require_relative "guest_storms"
require_relative "guest_readers"
require_relative "guest_bytes"
require_relative "guest_trees"

module Safety
  # The process that runs a subject for {Host}: it reads requests and answers,
  # one by one. Its methods that are public are the requests.
  class Guest
    PROBE = "written after the crash"

    def initialize(subject)
      @subject = subject
      @subject.load
    end

    # @return [Array] <tt>[:table, hash]</tt>, or <tt>[:error, class, message]</tt>
    def read(path, read_only: true) = attempt { @subject.open(path).transaction(read_only) { |store| table(store) } }

    # Reads the store, then writes to it and reads it again.
    #
    # @param power_cut [Boolean] whether it is as a power cut may have left it
    # @return [Array(Array, Array, Array, Array)] what was read; what was read
    #   afterwards; the names in the folder then; what the format's own library
    #   had read at first
    def verify(path, power_cut = false)
      @subject.reboot(power_cut) if @subject.respond_to?(:reboot)
      plain = attempt { @subject.decode(bytes(path)) }
      [*use(path), plain]
    end

    # Runs a workload's transactions in a traced fork.
    #
    # @return [String] strace's text
    def record(path, workload)
      steps = Workload::ALL.fetch(workload).steps
      outcome = TracedFork.new(Recording::OPTIONS).call do |say|
        store = @subject.open(path)
        steps.each do |step|
          say.call("begin")
          store.transaction { step.call(store) }
          say.call("done")
        end
      end
      raise "#{workload}: #{outcome.said.last}" unless outcome.said == %w[begin done] * steps.size

      outcome.trace
    end

    # One transaction of a workload.
    #
    # @return [String] "done", or the name of the error's class
    def step(path, workload, number) = transact(@subject.open(path), Workload::ALL.fetch(workload).steps.fetch(number))

    # A request in a process of its own, which keeps nothing open thereafter.
    def apart(request, *arguments)
      answer_out, answer = IO.pipe(binmode: true)
      child = fork do
        answer.write(Marshal.dump(public_send(request, *arguments)))
        answer.close
      ensure
        exit!(0)
      end
      answer.close
      Marshal.load(answer_out.read)
    ensure
      Process.wait(child) if child
      answer_out&.close
    end

    private

    def use(path)
      first = read(path)
      return [first, nil, Dir.children(File.dirname(path))] if first.first == :error

      second = attempt do
        @subject.open(path).transaction { |store| store[PROBE] = true }
        @subject.open(path).transaction(true) { |store| table(store) }
      end
      [first, second, Dir.children(File.dirname(path))]
    end

    def table(store) = store.roots.to_h { |root| [root, store[root]] }

    def attempt
      [:table, yield]
    rescue StandardError => e
      [:error, e.class.name, e.message]
    end
  end
end

if $PROGRAM_NAME == __FILE__
  $stdin.binmode
  replies = $stdout.dup.binmode
  $stdout.reopen($stderr) # what a store prints is no reply
  guest = Safety::Guest.new(Safety::Subject.new(ARGV.fetch(0)))
  until $stdin.eof?
    request, arguments = Marshal.load($stdin)
    reply = begin
      [:ok, guest.public_send(request, *arguments)]
    rescue StandardError => e
      [:failed, "#{e.message} (#{e.class}) #{e.backtrace.first(4).join(" < ")}"]
    end
    replies.write(Marshal.dump(reply))
    replies.flush
  end
end
