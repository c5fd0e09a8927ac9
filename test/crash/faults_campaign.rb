# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "fault"
require_relative "host"
require_relative "memory"
require_relative "trace_lines"
require_relative "workloads"

module Safety
  # One transaction, again and again: each of its system calls fails once with
  # each error that it may have, and before each of them the process is killed
  # once. Afterwards the store must be the old or the new one.
  class FaultsCampaign
    # How many faults were +tried+, and of them those after which
    # * +torn+: the store was neither old nor new, or could not be read;
    # * +swallowed+: the transaction returned, and the store was not new;
    # * +foreign+: what was raised is not the error that the call had;
    # * +committed+: an error was raised, and the store was new;
    # * +stale+: the process itself saw another store than is on the disk;
    # * +stuck+: its next transaction failed, or that of another process;
    # * +leaked+: descriptors stayed open; +hung+: it did not end.
    # +leftovers+ is the most files besides the store; +kept+ after one more transaction.
    KINDS = %i[torn swallowed foreign committed stale stuck leaked hung].freeze
    Result = Struct.new(:subject, :workload, :warm, :tried, *KINDS, :leftovers, :kept, :examples, keyword_init: true) do
      def to_s
        counts = KINDS.map { |kind| "#{self[kind]} #{kind}" }.join(", ")
        "#{subject}, #{workload}#{" (warm)" if warm}: #{tried} faults, #{counts}; at most #{leftovers} leftovers, #{kept} kept"
      end
    end

    # @param only [Regexp, nil] faults to be tried, as strace's inject has them: /ENOSPC/
    def initialize(host, workload, warm: false, only: nil, folder: Safety.memory)
      @host = host
      @subject = host.subject
      @workload = Workload::ALL.fetch(workload)
      @warm = warm
      @only = only
      @folder = folder
    end

    # @return [Result]
    def call
      @result = Result.new(subject: @subject.name, workload: @workload.name, warm: @warm, tried: 0, leftovers: 0, kept: 0,
                           examples: [], **KINDS.to_h { |kind| [kind, 0] })
      suffer(nil) # what Ruby loads at a first use, it has then loaded in the host
      faults = Fault.list(suffer(nil).first[:trace], @inside)
      faults.select { |fault| @only.nil? || @only.match?(fault.to_s) }.each { |fault| try(fault) }
      @result
    end

    private

    # The two tables between which the transaction leads.
    def tables
      old = (@workload.start || {}).merge(@warm ? { "before" => true } : {})
      [old, old.dup.tap { |table| @workload.steps.first.call(table) }]
    end

    # @return [Array(Hash, Array)] what {Guest#fault} and {Guest#verify} said
    def suffer(fault)
      Dir.mktmpdir("frugal-fault", @folder) do |folder|
        @inside = "#{File.realpath(folder)}/"
        path = @workload.prepare(folder, @subject)
        run = @host.fault(path, @workload.name, fault&.injection, @warm, tables)
        left = Dir.children(folder).size
        [run, @host.verify(path), left - @workload.files - @subject.kept_files]
      end
    end

    def try(fault)
      run, (first, second, files), left = suffer(fault)
      injected = fault.kill? ? run[:killed] && !run[:said].key?("leaked") : TraceLines.parse(run[:trace]).any? { |call| call.injected && call.mentions?(@inside) }
      raise "#{@subject}: #{fault} did not happen" unless injected || run[:hung]

      @result.tried += 1
      @result.leftovers = [@result.leftovers, left].max
      @result.kept = [@result.kept, files.size - @workload.files - @subject.kept_files].max
      wrongs(fault, run, first, second).uniq.each { |kind| wrong(kind, fault, run, first) }
    end

    def wrongs(fault, run, first, second)
      return [:hung] if run[:hung]
      return judge_file(first, second) if fault.kill?

      said = run[:said]
      ended, file, sees = said.values_at("ended", "file", "sees")
      wrongs = judge_file(first && [first[0], first[1].is_a?(Hash) ? first[1].reject { |root| root == "again" } : first[1]], second)
      wrongs << :torn unless %w[old new].include?(file)
      wrongs << :swallowed if ended == "done" && file != "new"
      wrongs << :foreign unless ["done", "Errno::#{fault.error}"].include?(ended)
      wrongs << :committed if ended != "done" && file == "new"
      wrongs << :stale if sees != file
      wrongs << :stuck if !["done", ("Errno::#{fault.error}" if fault.lasting)].include?(said["again"])
      wrongs << :leaked if said["leaked"].to_i > (@warm ? 0 : @subject.kept_descriptors)
      wrongs
    end

    def judge_file(first, second)
      return [:torn] unless tables.any? { |table| first == [:table, table] }

      second&.first == :table ? [] : [:stuck]
    end

    def wrong(kind, fault, run, first)
      @result[kind] += 1
      kept = first[1].is_a?(Hash) ? "#{first[1].size} roots" : first.drop(1).join(": ")
      @result.examples << "#{kind}: #{fault}: #{run[:said].inspect}; another process finds #{kept}"
    end
  end
end
