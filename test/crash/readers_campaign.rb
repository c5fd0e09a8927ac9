# frozen_string_literal: true

require "tmpdir"
require_relative "worker_process"
require_relative "memory"

module Safety
  # A process of one subject writes numbers, while a process of the same subject or of another one
  # reads. Each table that it reads must be complete, no older than the last number that the
  # writer has reported, and no older than the table that it read before.
  class ReadersCampaign
    # For +reads+, +torn+, +behind+ and +backwards+ see {Worker#watch}; +unended+ counts writers that
    # failed or hung; +missing+ is the number of transactions that the last read does not contain.
    Result = Struct.new(:reader, :writer, :written, :reads, :torn, :behind, :backwards, :missing, :unended, :examples,
                        keyword_init: true) do
      def to_s
        "#{reader} reads what #{writer} writes: #{reads} reads of #{written} transactions, #{torn} torn, " \
          "#{behind} behind, #{backwards} backwards, #{missing} missing at the end" \
          "#{", the writer failed" if unended.positive?}"
      end
    end

    TIME_LIMIT = 60 # seconds

    def initialize(reader, writer, times:, folder: Safety.memory)
      @reader = reader
      @writer = writer
      @times = times
      @folder = folder
    end

    # @return [Result]
    def call
      Dir.mktmpdir("frugal-readers", @folder) do |folder|
        pipe = "#{folder}/reported"
        File.mkfifo(pipe)
        @writer.write_and_report("#{folder}/store", @times, pipe)
        # In a fork, because an open file would keep a hidden name on FUSE.
        seen = @reader.in_fork(:watch, "#{folder}/store", pipe)
        statuses = @writer.join(TIME_LIMIT)
        Result.new(reader: @reader.subject.name, writer: @writer.subject.name, written: @times,
                   missing: @times - seen[:last], unended: statuses.count { |status| status != 0 },
                   examples: seen[:wrong],
                   **seen.slice(:reads, :torn, :behind, :backwards))
      end
    end
  end
end
