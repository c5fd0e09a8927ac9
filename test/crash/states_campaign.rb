# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "host"
require_relative "memory"
require_relative "workloads"
require_relative "crash_states"

module Safety
  # Every crash state of a workload, opened by the subject and judged.
  class StatesCampaign
    # How many states were +tried+; of those +bad+ ones cannot be read, or mix
    # transactions; +lost+ ones are whole, but without a transaction that was
    # acknowledged; +killed+ counts bad ones that a kill between two system
    # calls leaves, too; +unusable+ ones cannot be written to, or not read
    # thereafter; +otherwise+ ones are read otherwise by the format's own library,
    # and so by stock; +leftovers+ is the most files besides the store. +examples+
    # say how to see the first wrong ones.
    Result = Struct.new(:subject, :workload, :tried, :bad, :lost, :killed, :unusable, :otherwise, :leftovers,
                        :examples, keyword_init: true) do
      def to_s
        format("%-24s %-18s %6d states %6d bad %6d not durable %4d bad after a kill %4d unusable %2d otherwise %2d leftovers",
               subject, workload, tried, bad, lost, killed, unusable, otherwise, leftovers)
      end
    end

    EXAMPLES = 3

    def initialize(host, workload, window: 8, journal: false, folder: Safety.memory)
      @host = host
      @workload = Workload::ALL.fetch(workload)
      @options = { window: window, journal: journal }
      @folder = folder
    end

    # @return [Result]
    def call
      @result = Result.new(subject: @host.subject.name, workload: @workload.name, tried: 0, bad: 0, lost: 0, killed: 0,
                           unusable: 0, otherwise: 0, leftovers: 0, examples: [])
      @answers = {}
      Dir.mktmpdir("frugal-crash", @folder) do |folder|
        @folder = folder
        CrashStates.new(recording, **@options).each { |state| judge(state) }
      end
      @result
    end

    private

    def recording
      folder = File.join(@folder, "recorded")
      Dir.mkdir(folder)
      path = @workload.prepare(folder, @host.subject)
      before = Disk.read(folder)
      recording = Recording.new(folder, before, @host.record(path, @workload.name))
      return recording if recording.events.count { |event| event.mark == "done" } == @workload.steps.size

      raise "#{@result.subject}, #{@workload.name}: the trace lacks what the workload said"
    end

    def judge(state)
      @result.tried += 1
      first, second, files, plain = answer(state.disk)
      tables = @workload.tables
      age = (0..state.begun).select { |index| first == [:table, tables[index]] }.max
      @result.leftovers = [@result.leftovers, files.size - @workload.files - @host.subject.kept_files].max
      wrong(state, :otherwise, plain) unless first == plain || [first, plain].map(&:first) == %i[error error]
      return wrong(state, :bad, first) if age.nil?

      wrong(state, :unusable, second) unless second == [:table, tables[age].merge("written after the crash" => true)]
      wrong(state, :lost, first) if age < state.done
    end

    # The disk is made, verified and removed once for each image.
    def answer(disk)
      @answers[disk.image] ||= begin
        folder = File.join(@folder, "found")
        disk.write_to(folder)
        @host.verify(File.join(folder, "store"), true)
      ensure
        FileUtils.rm_rf(folder)
      end
    end

    def wrong(state, kind, answer)
      @result[kind] += 1
      @result.killed += 1 if kind == :bad && state.kill
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
