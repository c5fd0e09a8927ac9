# frozen_string_literal: true

require "tmpdir"
require_relative "worker_process"
require_relative "workloads"

module Safety
  # Runs a transaction on a small file system with 0, 1, 2 … free pages. Either it raises
  # Errno::ENOSPC and the store is the old one, or the store is the new one.
  class FullDiskCampaign
    # Counts: +tried+; +refused+: Errno::ENOSPC was raised; +destroyed+: the store is neither old
    # nor new; +misreported+: the store is new although an error was raised, or old although none
    # was. +leftovers+ is the largest number of files beside the store.
    Result = Struct.new(:subject, :workload, :tried, :refused, :destroyed, :misreported, :leftovers, :examples,
                        keyword_init: true) do
      def to_s
        "#{subject}, #{workload}: #{tried} full disks, #{refused} refused, #{destroyed} stores destroyed, " \
          "#{misreported} misreported, at most #{leftovers} leftovers"
      end
    end

    PAGE = 4096 # bytes
    PAGES = 64

    # The reason why it cannot run here, or nil.
    def self.missing
      return "only root can mount a small file system" unless Process.uid.zero?
      return "only Linux has tmpfs" unless RUBY_PLATFORM.include?("linux")

      Dir.mktmpdir("frugal-mount") do |folder|
        return "mount is not allowed here" unless mount(folder)

        unmount(folder)
        nil
      end
    end

    def self.mount(folder)
      system("mount", "-t", "tmpfs", "-o", "size=#{PAGE * PAGES}", "frugal-test", folder, err: File::NULL)
    end

    def self.unmount(folder) = system("umount", folder)

    def initialize(worker, workload, free: 0..10)
      @worker = worker
      @workload = Workload::ALL.fetch(workload)
      @free = free
    end

    # @return [Result]
    def call
      @result = Result.new(subject: @worker.subject.name, workload: @workload.name, tried: 0, refused: 0, destroyed: 0,
                           misreported: 0, leftovers: 0, examples: [])
      @free.each { |pages| on_small_disk { |folder| try(folder, pages) } }
      @result
    end

    private

    def on_small_disk
      Dir.mktmpdir("frugal-full") do |folder|
        raise "mount failed" unless self.class.mount(folder)

        begin
          yield folder
        ensure
          self.class.unmount(folder)
        end
      end
    end

    # In forks, because a file system with open files cannot be unmounted.
    def try(folder, pages)
      path = @workload.prepare(folder, @worker.subject)
      fill("#{folder}/filler", pages)
      ended = @worker.in_fork(:step, path, @workload.name, 0)
      found = @worker.in_fork(:read, path)
      @result.tried += 1
      @result.refused += 1 if ended == "Errno::ENOSPC"
      @result.leftovers = [@result.leftovers, Dir.children(folder).size - 2 - @worker.subject.kept_files].max
      check(pages, ended, found)
    end

    # Fills the disk up to that many free pages.
    def fill(path, pages)
      File.open(path, "wb") do |file|
        loop { file.syswrite("x" * PAGE) }
      rescue Errno::ENOSPC
        file.truncate([file.size - (pages * PAGE), 0].max)
      end
    end

    def check(pages, ended, found)
      place = @workload.tables.first(2).index { |table| found == [:table, table] }
      return add(:destroyed, pages, ended, found) if place.nil?

      add(:misreported, pages, ended, found) unless ended == (place == 1 ? "done" : "Errno::ENOSPC")
    end

    def add(kind, pages, ended, found)
      @result[kind] += 1
      text = found.first == :error ? found.drop(1).join(": ") : "#{found[1].size} roots"
      @result.examples << "#{kind}: with #{pages} free pages it ended with #{ended}; the store has #{text}"
    end
  end
end
