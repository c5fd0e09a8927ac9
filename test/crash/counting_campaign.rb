# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "host"
require_relative "memory"

module Safety
  # Processes of one subject or of several count in one store together; every
  # increment must be there in the end.
  class CountingCampaign
    # +wanted+ increments, of which +found+ are there; +unended+ processes failed
    # or waited for ever; +error+ is why the store cannot be read.
    Result = Struct.new(:subjects, :wanted, :found, :unended, :error, keyword_init: true) do
      def lost = wanted - found
      def wrong = error ? 1 : 0
      def examples = error ? ["wrong: #{error}"] : []

      def to_s
        "#{subjects.tally.map { |name, count| "#{count} #{name}" }.join(" and ")}: #{found} of #{wanted} increments" \
          "#{", #{unended} processes did not end well" if unended.positive?}#{", #{error}" if error}"
      end
    end

    PATIENCE = 60 # s

    # @param hosts [Hash{Host => Integer}] how many processes of each
    # @param kept [Boolean] see {Guest#count}
    def initialize(hosts, times:, folder: Safety.memory, kept: false)
      @hosts = hosts
      @times = times
      @kept = kept
      @folder = folder
    end

    # @return [Result]
    def call
      Dir.mktmpdir("frugal-counting", @folder) do |folder|
        path = "#{folder}/store"
        @hosts.each { |host, processes| host.count(path, processes, @times, "#{folder}/go", @kept) }
        FileUtils.touch("#{folder}/go")
        statuses = @hosts.each_key.flat_map { |host| host.join(PATIENCE) }
        sum_up(@hosts.keys.first.apart(:read, path), statuses) # what stays open keeps a hidden name on FUSE
      end
    end

    private

    def sum_up(answer, statuses)
      kind, table, message = answer
      names = @hosts.flat_map { |host, processes| [host.subject.name] * processes }
      wanted = names.size * @times
      result = Result.new(subjects: names, wanted: wanted, found: 0, unended: statuses.count { |status| status != 0 })
      return result.tap { result.error = "#{table}: #{message}" } if kind == :error

      result.found = table["count"].to_i
      own = table.reject { |root| root == "count" }.values.sum
      result.error = "the counts of each process make #{own}" unless own == result.found
      result
    end
  end
end
