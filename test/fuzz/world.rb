# frozen_string_literal: true

require "fileutils"
require_relative "journal"

module RakeFuzz
  # The directory in which a case runs: built anew for each run, read back after
  # it. Both sides get the very same path, one after the other.
  class World
    attr_reader :root

    def initialize(base)
      @base = base
      @root = File.join(base, "tree")
    end

    def stdout = File.join(@base, "stdout")
    def stderr = File.join(@base, "stderr")

    def build(kase)
      FileUtils.remove_entry(@root) if File.directory?(@root)
      Dir.mkdir(@root)
      kase.tree.each { |kind, path, content, _| make(kind, File.join(@root, path), content) }
      IO.binwrite(File.join(@root, "Rakefile"), kase.rakefile)
      kase.tree.reverse_each do |kind, path, _, tick|
        next if tick.nil? || kind == "link"

        time = Fuzz.at(tick)
        File.utime(time, time, File.join(@root, path))
      rescue Errno::ENOENT, Errno::ENOTDIR
        next # its parent was minimized away
      end
    end

    # @return [Array] sorted [path, type, content, mtime] of everything
    def read(dir = @root, prefix = "", into = [])
      Dir.children(dir).sort_by(&:b).each do |name|
        path = File.join(dir, name)
        shown = prefix + name.b
        stat = File.lstat(path)
        case stat.ftype
        when "directory"
          into << [shown, "dir", nil, mtime(stat)]
          read(path, "#{shown}/", into)
        when "link" then into << [shown, "link", File.readlink(path), nil]
        when "file" then into << [shown, "file", IO.binread(path), mtime(stat)] unless shown == "Rakefile"
        else into << [shown, stat.ftype, nil, nil]
        end
      end
      into
    end

    private

    def make(kind, path, content)
      case kind
      when "dir" then FileUtils.mkdir_p(path)
      when "link" then File.symlink(content, path)
      when "fifo" then File.mkfifo(path)
      else IO.binwrite(path, content || "#{File.basename(path).b}\n")
      end
    rescue SystemCallError
      nil # two entries that exclude each other: the first stays
    end

    def mtime(stat)
      tick = stat.mtime.to_r - Fuzz::EPOCH
      Fuzz.now?(tick) ? :now : tick
    end
  end
end
