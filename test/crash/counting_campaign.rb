# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "worker_process"
require_relative "memory"

module Safety
  # Processes of one or more subjects increment a counter in one store. In the end every
  # increment must be there.
  class CountingCampaign
    # +wanted+ is the number of increments, +found+ the counter; +unended+ counts processes that
    # failed or hung; +error+ is the reason why the store cannot be read.
    Result = Struct.new(:subjects, :wanted, :found, :unended, :error, keyword_init: true) do
      def lost = wanted - found
      def wrong = error ? 1 : 0
      def examples = error ? ["wrong: #{error}"] : []

      def to_s
        "#{subjects.tally.map { |name, count| "#{count} #{name}" }.join(" and ")}: #{found} of #{wanted} increments" \
          "#{", #{unended} processes failed or hung" if unended.positive?}#{", #{error}" if error}"
      end
    end

    TIME_LIMIT = 60 # seconds

    # @param workers [Hash{WorkerProcess => Integer}] how many processes of each
    # @param kept [Boolean] see {Worker#count}
    def initialize(workers, times:, folder: Safety.memory, kept: false)
      @workers = workers
      @times = times
      @kept = kept
      @folder = folder
    end

    # @return [Result]
    def call
      Dir.mktmpdir("frugal-counting", @folder) do |folder|
        path = "#{folder}/store"
        @workers.each { |worker, processes| worker.count(path, processes, @times, "#{folder}/go", @kept) }
        FileUtils.touch("#{folder}/go")
        statuses = @workers.each_key.flat_map { |worker| worker.join(TIME_LIMIT) }
        # In a fork, because an open file would keep a hidden name on FUSE.
        sum_up(@workers.keys.first.in_fork(:read, path), statuses)
      end
    end

    private

    def sum_up(answer, statuses)
      kind, table, message = answer
      names = @workers.flat_map { |worker, processes| [worker.subject.name] * processes }
      wanted = names.size * @times
      result = Result.new(subjects: names, wanted: wanted, found: 0, unended: statuses.count { |status| status != 0 })
      return result.tap { result.error = "#{table}: #{message}" } if kind == :error

      result.found = table["count"].to_i
      own = table.reject { |root| root == "count" }.values.sum
      result.error = "the sum of the counts of all processes is #{own}" unless own == result.found
      result
    end
  end
end
