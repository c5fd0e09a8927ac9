# frozen_string_literal: true

require "tmpdir"
require_relative "host"
require_relative "workloads"

module Safety
  # A transaction on a small file system with any number of pages left, none
  # and more: the store must be the old one, and Errno::ENOSPC raised, or the new one.
  class FullDiskCampaign
    # Of the +tried+, +refused+ raised Errno::ENOSPC; +destroyed+ stores are
    # neither old nor new; +lying+ transactions said another thing than the store;
    # +leftovers+ is the most files beside the store.
    Result = Struct.new(:subject, :workload, :tried, :refused, :destroyed, :lying, :leftovers, :examples, keyword_init: true) do
      def to_s
        "#{subject}, #{workload}: #{tried} full disks, #{refused} refused, #{destroyed} stores destroyed, #{lying} lied about, " \
          "at most #{leftovers} leftovers"
      end
    end

    PAGE = 4096 # bytes
    PAGES = 64

    # Why it cannot run here, or nil.
    def self.missing
      return "a small file system can be mounted by root only" unless Process.uid.zero?
      return "tmpfs is Linux's" unless RUBY_PLATFORM.include?("linux")

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

    def initialize(host, workload, free: 0..10)
      @host = host
      @workload = Workload::ALL.fetch(workload)
      @free = free
    end

    # @return [Result]
    def call
      @result = Result.new(subject: @host.subject.name, workload: @workload.name, tried: 0, refused: 0, destroyed: 0, lying: 0,
                           leftovers: 0, examples: [])
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

    # In processes of their own: nobody can unmount what another has open.
    def try(folder, pages)
      path = @workload.prepare(folder, @host.subject)
      fill("#{folder}/filler", pages)
      said = @host.apart(:step, path, @workload.name, 0)
      found = @host.apart(:read, path)
      @result.tried += 1
      @result.refused += 1 if said == "Errno::ENOSPC"
      @result.leftovers = [@result.leftovers, Dir.children(folder).size - 2 - @host.subject.kept_files].max
      judge(pages, said, found)
    end

    # Leaves that many pages.
    def fill(path, pages)
      File.open(path, "wb") do |file|
        loop { file.syswrite("x" * PAGE) }
      rescue Errno::ENOSPC
        file.truncate([file.size - (pages * PAGE), 0].max)
      end
    end

    def judge(pages, said, found)
      place = @workload.tables.first(2).index { |table| found == [:table, table] }
      return wrong(:destroyed, pages, said, found) if place.nil?

      wrong(:lying, pages, said, found) unless said == (place == 1 ? "done" : "Errno::ENOSPC")
    end

    def wrong(kind, pages, said, found)
      @result[kind] += 1
      text = found.first == :error ? found.drop(1).join(": ") : "#{found[1].size} roots"
      @result.examples << "#{kind}: with #{pages} pages left it said #{said}; then there is #{text}"
    end
  end
end
