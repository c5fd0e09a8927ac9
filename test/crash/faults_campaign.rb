# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "fault"
require_relative "worker_process"
require_relative "memory"
require_relative "trace_lines"
require_relative "workloads"

module Safety
  # Repeats one transaction: each of its system calls fails once with each error that it can
  # have, and the process is killed once before each of them. Afterwards the store must be
  # the old or the new one.
  class FaultsCampaign
    # +tried+ counts all faults. The others count faults after which
    # * +torn+: the store was neither old nor new, or could not be read;
    # * +swallowed+: the transaction raised no error, but the store was not new;
    # * +wrong_error+: the transaction raised another error than that of the call;
    # * +committed+: the transaction raised an error, but the store was new;
    # * +stale+: the process itself read another table than is on the disk;
    # * +stuck+: its next transaction failed, or that of another process;
    # * +leaked+: descriptors stayed open; +hung+: the process did not end.
    # +leftovers+ is the largest number of files besides the store; +kept+ the same after one
    # more transaction.
    KINDS = %i[torn swallowed wrong_error committed stale stuck leaked hung].freeze
    Result = Struct.new(:subject, :workload, :warm, :tried, *KINDS, :leftovers, :kept, :examples, keyword_init: true) do
      def to_s
        counts = KINDS.map { |kind| "#{self[kind]} #{kind}" }.join(", ")
        "#{subject}, #{workload}#{" (warm)" if warm}: #{tried} faults, #{counts}; " \
          "at most #{leftovers} leftovers, #{kept} kept"
      end
    end

    # @param only [Regexp, nil] the faults to try, in the syntax of strace's inject: /ENOSPC/
    def initialize(worker, workload, warm: false, only: nil, folder: Safety.memory)
      @worker = worker
      @subject = worker.subject
      @workload = Workload::ALL.fetch(workload)
      @warm = warm
      @only = only
      @folder = folder
    end

    # @return [Result]
    def call
      @result = Result.new(subject: @subject.name, workload: @workload.name, warm: @warm, tried: 0, leftovers: 0,
                           kept: 0, examples: [], **KINDS.to_h { |kind| [kind, 0] })
      run(nil) # loads in the worker what Ruby loads at the first use
      faults = Fault.list(run(nil).first[:trace], @inside)
      faults.select { |fault| @only.nil? || @only.match?(fault.to_s) }.each { |fault| try(fault) }
      @result
    end

    private

    # The tables before and after the transaction.
    def tables
      old = (@workload.start || {}).merge(@warm ? { "before" => true } : {})
      [old, old.dup.tap { |table| @workload.steps.first.call(table) }]
    end

    # @return [Array(Hash, Array, Integer)] the results of {Worker#fault} and {Worker#verify}, and the
    #   number of leftover files before the latter
    def run(fault)
      Dir.mktmpdir("frugal-fault", @folder) do |folder|
        @inside = "#{File.realpath(folder)}/"
        path = @workload.prepare(folder, @subject)
        run = @worker.fault(path, @workload.name, fault&.injection, @warm, tables)
        left = Dir.children(folder).size
        [run, @worker.verify(path), left - @workload.files - @subject.kept_files]
      end
    end

    def try(fault)
      run, (first, second, files), left = run(fault)
      raise "#{@subject}: #{fault} did not happen" unless injected?(fault, run) || run[:hung]

      @result.tried += 1
      @result.leftovers = [@result.leftovers, left].max
      @result.kept = [@result.kept, files.size - @workload.files - @subject.kept_files].max
      violations(fault, run, first, second).uniq.each { |kind| add(kind, fault, run, first) }
    end

    def injected?(fault, run)
      return run[:killed] && !run[:messages].key?("leaked") if fault.kill?

      TraceLines.parse(run[:trace]).any? { |call| call.injected && call.mentions?(@inside) }
    end

    def violations(fault, run, first, second)
      return [:hung] if run[:hung]
      return check_file(first, second) if fault.kill?

      messages = run[:messages]
      ended, file, sees = messages.values_at("ended", "file", "sees")
      kinds = check_file(without_again(first), second)
      kinds << :torn unless %w[old new].include?(file)
      kinds << :swallowed if ended == "done" && file != "new"
      kinds << :wrong_error unless ["done", "Errno::#{fault.error}"].include?(ended)
      kinds << :committed if ended != "done" && file == "new"
      kinds << :stale if sees != file
      kinds << :stuck unless ["done", ("Errno::#{fault.error}" if fault.lasting)].include?(messages["again"])
      kinds << :leaked if messages["leaked"].to_i > (@warm ? 0 : @subject.kept_descriptors)
      kinds
    end

    # Without the root of the transaction that the process itself ran afterwards.
    def without_again(first)
      first && [first[0], first[1].is_a?(Hash) ? first[1].reject { |root| root == "again" } : first[1]]
    end

    def check_file(first, second)
      return [:torn] unless tables.any? { |table| first == [:table, table] }

      second&.first == :table ? [] : [:stuck]
    end

    def add(kind, fault, run, first)
      @result[kind] += 1
      kept = first[1].is_a?(Hash) ? "#{first[1].size} roots" : first.drop(1).join(": ")
      @result.examples << "#{kind}: #{fault}: #{run[:messages].inspect}; another process finds #{kept}"
    end
  end
end
