# frozen_string_literal: true

require "fileutils"
require_relative "shell_tree" if RUBY_ENGINE == "jruby"

module FindFuzz
  # A small random tree in the current folder, the same for the same random numbers.
  class Tree
    # Few names, so that an entry that a block makes often has the name of a listed one.
    NAMES = ["a", "b", "c", "d", "e", "ab", "a b", ".h", "Z", "ä", "\xFF\n", "0"].freeze
    KINDS = %i[file file file file directory directory directory link link fifo locked].freeze

    def initialize(random)
      @random = random
    end

    def make(folder = "t", depth = 0)
      Dir.mkdir(folder)
      NAMES.sample(@random.rand(depth.zero? ? 4..9 : 0..6), random: @random).each do |name|
        make_one("#{folder}/#{name}", depth)
      end
    end

    # All entries of a folder that can be read.
    def self.snapshot(folder = ".")
      Dir.children(folder).sort.flat_map do |name|
        path = "#{folder}/#{name}"
        stat = File.lstat(path)
        here = [path, stat.ftype, stat.mode, (File.readlink(path) if stat.symlink?)]
        stat.directory? && stat.readable? ? [here, *snapshot(path)] : [here]
      end
    rescue SystemCallError => e
      [[folder, e.class]]
    end

    # Removes folders that cannot be read or entered, too.
    def self.remove(folder)
      FileUtils.chmod(0o700, folder)
      Dir.each_child(folder) do |name|
        path = "#{folder}/#{name}"
        File.lstat(path).directory? ? remove(path) : File.delete(path)
      end
      Dir.rmdir(folder)
    end

    private

    def make_one(path, depth)
      case KINDS.sample(random: @random)
      when :file then File.write(path, "")
      when :link
        target = [".", "..", "a", "nothing", "../b", File.basename(path)].sample(random: @random)
        File.symlink(target, path)
      when :fifo then File.mkfifo(path)
      when :locked
        Dir.mkdir(path)
        File.write("#{path}/inside", "")
        File.chmod([0o000, 0o400, 0o100].sample(random: @random), path)
      else depth < 4 ? make(path, depth + 1) : Dir.mkdir(path)
      end
    end
  end

  if RUBY_ENGINE == "jruby"
    Tree.prepend(ShellTree::Maker)
    Tree.singleton_class.prepend(ShellTree)
  end
end
