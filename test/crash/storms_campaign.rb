# frozen_string_literal: true

require "tmpdir"
require_relative "host"
require_relative "memory"

module Safety
  # A writer killed at random moments, many times, over one store.
  class StormsCampaign
    # See {Guest#storm}.
    Result = Struct.new(:subject, :size, :seed, :kills, :torn, :lost, :leftovers, :written, :wrong, keyword_init: true) do
      def to_s
        "#{subject}, #{size} bytes, seed #{seed}: #{kills} kills in #{written} transactions, #{torn} torn, #{lost} lost, " \
          "at most #{leftovers} leftovers"
      end

      def examples = wrong
    end

    BATCH = 25 # kills that one request makes, so that none takes long

    def initialize(host, size:, kills:, seed:, folder: Safety.memory)
      @host = host
      @size = size
      @kills = kills
      @seed = seed
      @folder = folder
    end

    # @return [Result]
    def call
      result = Result.new(subject: @host.subject.name, size: @size, seed: @seed, kills: 0, torn: 0, lost: 0, leftovers: 0,
                          written: 0, wrong: [])
      Dir.mktmpdir("frugal-storm", @folder) do |folder|
        (0...@kills).each_slice(BATCH) do |batch|
          add(result, @host.storm("#{folder}/store", @seed + batch.first, batch.size, @size))
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
