# frozen_string_literal: true

require_relative "subject"
require_relative "workloads"
require_relative "traced_fork"
require_relative "recording"
require_relative "worker_faults"
require_relative "worker_storms"
require_relative "worker_readers"
require_relative "worker_bytes"
require_relative "worker_trees"

module Safety
  # Runs a subject in a process that {WorkerProcess} has started: it reads requests and
  # replies to each. Its public methods are the requests.
  class Worker
    PROBE = "written after the crash"

    def initialize(subject)
      @subject = subject
      @subject.load
    end

    # @return [Array] <tt>[:table, hash]</tt>, or <tt>[:error, class, message]</tt>
    def read(path, read_only: true) = attempt { @subject.open(path).transaction(read_only) { |store| table(store) } }

    # Reads the store, then writes to it and reads it again.
    #
    # @param power_cut [Boolean] whether the store is in a state after a power cut
    # @return [Array(Array, Array, Array, Array)] the result of the first read; of the second one; the
    #   names in the folder after it; and the result of decoding the file with the library of
    #   its format before the first read
    def verify(path, power_cut = false)
      @subject.reboot(power_cut) if @subject.respond_to?(:reboot)
      decoded = attempt { @subject.decode(bytes(path)) }
      [*use(path), decoded]
    end

    # Runs a workload's transactions in a traced fork.
    #
    # @return [String] the output of strace
    def record(path, workload)
      steps = Workload::ALL.fetch(workload).steps
      outcome = TracedFork.new(Recording::OPTIONS).call do |report|
        store = @subject.open(path)
        steps.each do |step|
          report.call("begin")
          store.transaction { step.call(store) }
          report.call("done")
        end
      end
      raise "#{workload}: #{outcome.messages.last}" unless outcome.messages == %w[begin done] * steps.size

      outcome.trace
    end

    # One transaction of a workload.
    #
    # @return [String] "done", or the name of the error's class
    def step(path, workload, number) = transact(@subject.open(path), Workload::ALL.fetch(workload).steps.fetch(number))

    # Runs a request in a fork, so that this process has no file open afterwards.
    def in_fork(request, *arguments)
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
  $stdout.reopen($stderr) # output of a store must not be taken for a reply
  worker = Safety::Worker.new(Safety::Subject.new(ARGV.fetch(0)))
  until $stdin.eof?
    request, arguments = Marshal.load($stdin)
    reply = begin
      [:ok, worker.public_send(request, *arguments)]
    rescue StandardError => e
      [:failed, "#{e.message} (#{e.class}) #{e.backtrace.first(4).join(" < ")}"]
    end
    replies.write(Marshal.dump(reply))
    replies.flush
  end
end
