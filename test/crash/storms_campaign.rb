# frozen_string_literal: true

require "tmpdir"
require_relative "worker_process"
require_relative "memory"

module Safety
  # Kills a writer of one store at random moments, many times.
  class StormsCampaign
    # See {Worker#storm}.
    Result = Struct.new(:subject, :size, :seed, :kills, :torn, :lost, :leftovers, :written, :wrong,
                        keyword_init: true) do
      def to_s
        "#{subject}, #{size} bytes, seed #{seed}: #{kills} kills in #{written} transactions, #{torn} torn, " \
          "#{lost} lost, at most #{leftovers} leftovers"
      end

      def examples = wrong
    end

    BATCH = 25 # kills of one request, so that none reaches the time limit

    def initialize(worker, size:, kills:, seed:, folder: Safety.memory)
      @worker = worker
      @size = size
      @kills = kills
      @seed = seed
      @folder = folder
    end

    # @return [Result]
    def call
      result = Result.new(subject: @worker.subject.name, size: @size, seed: @seed, kills: 0, torn: 0, lost: 0,
                          leftovers: 0, written: 0, wrong: [])
      Dir.mktmpdir("frugal-storm", @folder) do |folder|
        (0...@kills).each_slice(BATCH) do |batch|
          add(result, @worker.storm("#{folder}/store", @seed + batch.first, batch.size, @size))
        end
      end
      result
    end

    private

    def add(result, part)
      %i[kills torn lost].each { |kind| result[kind] += part[kind] }
      %i[leftovers written].each { |kind| result[kind] = [result[kind], part[kind]].max }
      result.wrong.concat(part[:wrong])
    end
  end
end
