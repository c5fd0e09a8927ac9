# frozen_string_literal: true

require_relative "workloads"
require_relative "traced_fork"

module Safety
  # What {Guest} does for {FaultsCampaign}: one transaction in a traced fork,
  # in which one system call may fail or the process be killed.
  class Guest
    FAULTED = %w[
      open openat creat close read pread64 readv lseek write pwrite64 writev pwritev truncate ftruncate fallocate rename renameat
      renameat2 link linkat symlink symlinkat unlink unlinkat fsync fdatasync flock stat lstat fstat newfstatat statx chmod fchmod
      fchmodat chown fchown fchownat fcntl sendto
    ].freeze
    FAULT_OPTIONS = ["-xx", "-s", "4096", "-e", "signal=none", "-e", "trace=#{FAULTED.map { |name| "?#{name}" }.join(",")}"].freeze
    WARM = "before"

    # @param injection [String, nil] for strace's <tt>-e inject=</tt>
    # @param warm [Boolean] whether the store was written to before the trace begins
    # @param tables [Array<Hash>] which tables are the old and the new
    # @return [Hash] +:said+ as a hash, +:killed+, +:hung+, +:trace+
    def fault(path, workload, injection, warm, tables)
      step = Workload::ALL.fetch(workload).steps.first
      store = nil
      prepare = lambda do
        store = @subject.open(path)
        store.transaction { store[WARM] = true } if warm
      end
      options = FAULT_OPTIONS + (injection ? ["-e", "inject=#{injection}"] : [])
      outcome = TracedFork.new(options).call(prepare: prepare) { |say| suffer(store, path, step, tables, say) }
      said = outcome.said.to_h { |line| line.partition(" ").values_at(0, 2) }
      { said: said, killed: outcome.status&.termsig == 9, hung: outcome.hung, trace: outcome.trace }
    end

    private

    # What the process itself makes of it, said line by line.
    def suffer(store, path, step, tables, say)
      before = descriptors
      say.call("begin")
      ended = transact(store, step)
      say.call("ended #{ended}")
      say.call("leaked #{descriptors - before}")
      say.call("file #{which(attempt { @subject.decode(bytes(path)) }, tables)}")
      say.call("sees #{which(attempt { store.transaction(true) { table(store) } }, tables)}")
      say.call("again #{transact(store, ->(again) { again["again"] = true })}")
    end

    # @return [String] "done", or the name of the error's class
    def transact(store, step)
      store.transaction { step.call(store) }
      "done"
    rescue StandardError => e
      e.class.name
    end

    # @return [String] "old" or "new", or what else it is
    def which(answer, tables)
      kind, value, message = answer
      return "#{value}: #{message}".lines.first.chomp if kind == :error

      %w[old new].find.with_index { |_, index| value == tables[index] } || "#{value.size} roots, neither old nor new"
    end

    def bytes(path) = File.exist?(path) ? File.binread(path) : ""
    def descriptors = Dir.children("/proc/self/fd").size
  end
end
