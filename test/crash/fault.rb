# frozen_string_literal: true

require_relative "trace_lines"

module Safety
  # One system call of a transaction, and what to inject there: an error, in this call only or
  # in all later ones too, or a kill of the process before the call.
  #
  #   Fault.new("pwrite64", 1, "ENOSPC").injection   # => "pwrite64:error=ENOSPC:when=1", in strace's syntax
  Fault = Struct.new(:name, :nth, :error, :lasting) do
    def injection = "#{name}:#{kill? ? "signal" : "error"}=#{error}:when=#{nth}#{"+" if lasting}"
    def kill? = error == "SIGKILL"
    def to_s = injection
  end

  class Fault
    ERRORS = {
      "openat" => %w[ENOSPC EIO EINTR EMFILE], "read" => %w[EIO EINTR], "pread64" => %w[EIO EINTR],
      "write" => %w[ENOSPC EIO EINTR], "pwrite64" => %w[ENOSPC EIO EINTR], "writev" => %w[ENOSPC EIO EINTR],
      "ftruncate" => %w[EIO EINTR], "fallocate" => %w[ENOSPC EIO EINTR EOPNOTSUPP], "fsync" => %w[EIO ENOSPC],
      "fdatasync" => %w[EIO ENOSPC], "rename" => %w[ENOSPC EIO EACCES], "renameat" => %w[ENOSPC EIO EACCES],
      "link" => %w[ENOSPC EIO], "unlink" => %w[EIO EACCES], "unlinkat" => %w[EIO EACCES], "flock" => %w[EINTR ENOLCK],
      "newfstatat" => %w[EIO], "fstat" => %w[EIO], "statx" => %w[EIO], "fchmod" => %w[EPERM], "chmod" => %w[EPERM],
      "fchown" => %w[EPERM]
    }.freeze

    # Errors that can continue in all later calls: the disk is full, or fails.
    LASTING = { "write" => %w[ENOSPC EIO], "pwrite64" => %w[ENOSPC EIO], "writev" => %w[ENOSPC],
                "fallocate" => %w[ENOSPC], "fsync" => %w[EIO], "fdatasync" => %w[EIO] }.freeze

    class << self
      # All faults of the calls on the folder, from "begin" to "ended".
      #
      # @param trace [String] of a run of {Worker#fault} without a fault
      # @return [Array<Fault>]
      def list(trace, folder)
        counts = Hash.new(0)
        inside = false
        TraceLines.parse(trace).flat_map do |call|
          nth = counts[call.name] += 1
          message = call.strings.first.to_s if call.name == "sendto"
          inside = true if message == "begin\n"
          ending = inside && message.to_s.start_with?("ended")
          faults = inside && (ending || call.mentions?(folder)) ? faults_at(call, nth, ending) : []
          inside = false if ending
          faults
        end
      end

      private

      # In reality, unlock and close fail only if all later calls fail too. At a call that failed
      # in the trace, the process is only killed.
      def faults_at(call, nth, ending)
        kill = new(call.name, nth, "SIGKILL")
        return [kill] if ending || call.failed? || call.text.include?("LOCK_UN")

        [*ERRORS.fetch(call.name, []).map { |error| new(call.name, nth, error) },
         *LASTING.fetch(call.name, []).map { |error| new(call.name, nth, error, true) }, kill]
      end
    end
  end
end
