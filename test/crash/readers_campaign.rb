# frozen_string_literal: true

require "tmpdir"
require_relative "host"
require_relative "memory"

module Safety
  # One process writes numbers, of one subject; another, of another or the same,
  # reads all the while. Whatever it reads must be whole, no older than what the
  # writer had told to be done, and no older than what it had read.
  class ReadersCampaign
    # See {Guest#watch}; +unended+ writers failed, +missing+ is what the last read lacks.
    Result = Struct.new(:reader, :writer, :written, :reads, :torn, :behind, :backwards, :missing, :unended, :examples, keyword_init: true) do
      def to_s
        "#{reader} reads what #{writer} writes: #{reads} reads of #{written} transactions, #{torn} torn, #{behind} behind, " \
          "#{backwards} backwards, #{missing} missing at the end#{", the writer failed" if unended.positive?}"
      end
    end

    PATIENCE = 60 # s

    def initialize(reader, writer, times:, folder: Safety.memory)
      @reader = reader
      @writer = writer
      @times = times
      @folder = folder
    end

    # @return [Result]
    def call
      Dir.mktmpdir("frugal-readers", @folder) do |folder|
        pipe = "#{folder}/told"
        File.mkfifo(pipe)
        @writer.announce("#{folder}/store", @times, pipe)
        seen = @reader.apart(:watch, "#{folder}/store", pipe) # what stays open keeps a hidden name on FUSE
        statuses = @writer.join(PATIENCE)
        Result.new(reader: @reader.subject.name, writer: @writer.subject.name, written: @times, missing: @times - seen[:last],
                   unended: statuses.count { |status| status != 0 }, examples: seen[:wrong],
                   **seen.slice(:reads, :torn, :behind, :backwards))
      end
    end
  end
end
