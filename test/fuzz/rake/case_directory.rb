# frozen_string_literal: true

require "fileutils"
require_relative "journal"

module RakeFuzz
  # The directory in which a case runs. It is made again for each run and read after it.
  # Both sides use the same path, one after the other.
  class CaseDirectory
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
        next # the minimizer removed its parent
      end
    end

    # @return [Array] sorted [path, type, content, mtime] of everything
    def read(dir = @root, prefix = "")
      Dir.children(dir).sort_by(&:b).flat_map { |name| entry(File.join(dir, name), prefix + name.b) }
    end

    private

    def entry(path, shown)
      stat = File.lstat(path)
      case stat.ftype
      when "directory" then [[shown, "dir", nil, mtime(stat)], *read(path, "#{shown}/")]
      when "link" then [[shown, "link", File.readlink(path), nil]]
      when "file" then shown == "Rakefile" ? [] : [[shown, "file", IO.binread(path), mtime(stat)]]
      else [[shown, stat.ftype, nil, nil]]
      end
    end

    def make(kind, path, content)
      case kind
      when "dir" then FileUtils.mkdir_p(path)
      when "link" then File.symlink(content, path)
      when "fifo" then File.mkfifo(path)
      else IO.binwrite(path, content || "#{File.basename(path).b}\n")
      end
    rescue SystemCallError
      nil # two entries that exclude each other: the first is kept
    end

    def mtime(stat)
      tick = stat.mtime.to_r - Fuzz::EPOCH
      Fuzz.now?(tick) ? :now : tick
    end
  end
end
