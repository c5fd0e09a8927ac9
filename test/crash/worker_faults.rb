# frozen_string_literal: true

require_relative "workloads"
require_relative "traced_fork"

module Safety
  # The request of {FaultsCampaign}: one transaction in a traced fork, in which one
  # system call can fail, or the process can be killed.
  class Worker
    FAULTED = %w[
      open openat creat close read pread64 readv lseek write pwrite64 writev pwritev truncate ftruncate fallocate
      rename renameat renameat2 link linkat symlink symlinkat unlink unlinkat fsync fdatasync flock
      stat lstat fstat newfstatat statx chmod fchmod fchmodat chown fchown fchownat fcntl sendto
    ].freeze
    FAULT_OPTIONS = ["-xx", "-s", "4096", "-e", "signal=none",
                     "-e", "trace=#{FAULTED.map { |name| "?#{name}" }.join(",")}"].freeze
    WARM = "before"

    # @param injection [String, nil] the argument of strace's <tt>-e inject=</tt>
    # @param warm [Boolean] whether the store was written to before the trace begins
    # @param tables [Array<Hash>] the old table and the new one
    # @return [Hash] +:messages+ (first word => rest), +:killed+, +:hung+, +:trace+
    def fault(path, workload, injection, warm, tables)
      step = Workload::ALL.fetch(workload).steps.first
      store = nil
      prepare = lambda do
        store = @subject.open(path)
        store.transaction { store[WARM] = true } if warm
      end
      options = FAULT_OPTIONS + (injection ? ["-e", "inject=#{injection}"] : [])
      outcome = TracedFork.new(options).call(prepare: prepare) do |report|
        transact_and_report(store, path, step, tables, report)
      end
      messages = outcome.messages.to_h { |line| line.partition(" ").values_at(0, 2) }
      { messages: messages, killed: outcome.status&.termsig == 9, hung: outcome.hung, trace: outcome.trace }
    end

    private

    # Runs the transaction, and reports how it ended and what the process finds afterwards.
    def transact_and_report(store, path, step, tables, report)
      before = descriptors
      report.call("begin")
      ended = transact(store, step)
      report.call("ended #{ended}")
      report.call("leaked #{descriptors - before}")
      report.call("file #{which(attempt { @subject.decode(bytes(path)) }, tables)}")
      report.call("sees #{which(attempt { store.transaction(true) { table(store) } }, tables)}")
      report.call("again #{transact(store, ->(again) { again["again"] = true })}")
    end

    # @return [String] "done", or the name of the error's class
    def transact(store, step)
      store.transaction { step.call(store) }
      "done"
    rescue StandardError => e
      e.class.name
    end

    # @return [String] "old", "new" or a description
    def which(answer, tables)
      kind, value, message = answer
      return "#{value}: #{message}".lines.first.chomp if kind == :error

      %w[old new].find.with_index { |_, index| value == tables[index] } || "#{value.size} roots, neither old nor new"
    end

    def bytes(path) = File.exist?(path) ? File.binread(path) : ""
    def descriptors = Dir.children("/proc/self/fd").size
  end
end
