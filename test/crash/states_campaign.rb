# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "worker_process"
require_relative "memory"
require_relative "workloads"
require_relative "crash_states"

module Safety
  # Opens each crash state of a workload with the subject, and checks what it reads.
  class StatesCampaign
    # Counts of states: +tried+; +bad+: cannot be read, or mixes transactions; +lost+: complete,
    # but an acknowledged transaction is missing; +bad_after_kill+: bad, and a kill between two system
    # calls leaves the same state; +unusable+: cannot be written to, or not be read after that;
    # +read_differently+: the library of the format, and so stock, reads another table.
    # +leftovers+ is the largest number of files besides the store. +examples+ describe the first
    # wrong states.
    Result = Struct.new(:subject, :workload, :tried, :bad, :lost, :bad_after_kill, :unusable, :read_differently,
                        :leftovers, :examples, keyword_init: true) do
      def to_s
        format("%-24s %-18s %6d states %6d bad %6d not durable %4d bad after a kill %4d unusable " \
               "%2d read differently %2d leftovers",
               subject, workload, tried, bad, lost, bad_after_kill, unusable, read_differently, leftovers)
      end
    end

    EXAMPLES = 3

    def initialize(worker, workload, window: 8, journal: false, folder: Safety.memory)
      @worker = worker
      @workload = Workload::ALL.fetch(workload)
      @options = { window: window, journal: journal }
      @folder = folder
    end

    # @return [Result]
    def call
      @result = Result.new(subject: @worker.subject.name, workload: @workload.name, tried: 0, bad: 0, lost: 0,
                           bad_after_kill: 0, unusable: 0, read_differently: 0, leftovers: 0, examples: [])
      @answers = {}
      Dir.mktmpdir("frugal-crash", @folder) do |folder|
        @folder = folder
        CrashStates.new(recording, **@options).each { |state| check(state) }
      end
      @result
    end

    private

    def recording
      folder = File.join(@folder, "recorded")
      Dir.mkdir(folder)
      path = @workload.prepare(folder, @worker.subject)
      before = Disk.read(folder)
      recording = Recording.new(folder, before, @worker.record(path, @workload.name))
      return recording if recording.events.count { |event| event.mark == "done" } == @workload.steps.size

      raise "#{@result.subject}, #{@workload.name}: messages of the workload are missing in the trace"
    end

    def check(state)
      @result.tried += 1
      first, second, files, decoded = answer(state.disk)
      tables = @workload.tables
      age = (0..state.begun).select { |index| first == [:table, tables[index]] }.max
      @result.leftovers = [@result.leftovers, files.size - @workload.files - @worker.subject.kept_files].max
      add(state, :read_differently, decoded) unless first == decoded || [first, decoded].map(&:first) == %i[error error]
      return add(state, :bad, first) if age.nil?

      add(state, :unusable, second) unless second == [:table, tables[age].merge("written after the crash" => true)]
      add(state, :lost, first) if age < state.done
    end

    # Creates, verifies and removes the folder, once for each image.
    def answer(disk)
      @answers[disk.image] ||= begin
        folder = File.join(@folder, "found")
        disk.write_to(folder)
        @worker.verify(File.join(folder, "store"), true)
      ensure
        FileUtils.rm_rf(folder)
      end
    end

    def add(state, kind, answer)
      @result[kind] += 1
      @result.bad_after_kill += 1 if kind == :bad && state.kill
      return if @result.examples.count { |example| example.start_with?("#{kind}:") } >= EXAMPLES

      @result.examples << "#{kind}: #{describe(answer)}; #{state.done} acknowledged; after #{state.after.map(&:to_s)}" \
                          "; lost #{state.lost.map(&:to_s)}"
    end

    def describe(answer)
      kind, *rest = answer
      kind == :error ? rest.join(": ") : "#{rest.first&.size.inspect} roots #{rest.first.to_s[0, 100]}"
    end
  end
end
