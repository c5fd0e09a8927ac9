# frozen_string_literal: true

require "fileutils"

module CacheFuzz
  # Changes of a folder by other programs between two calls: files are truncated, replaced
  # or made unreadable. Each kind gives the same tree on both sides.
  module OutsideChange
    KINDS = %i[truncate empty overwrite append directory link loop dangle lock lock_folder remove remove_all
               file_above].freeze

    class << self
      # @param random [Random]
      # @param root [String] nothing outside it changes
      # @return [String] a description of the change
      def run(random, root)
        kind = KINDS[random.rand(KINDS.size)]
        paths = Dir.glob("**/*", base: root).sort
        paths = paths.select { |path| File.file?(File.join(root, path)) } if random.rand(2).zero?
        name = paths.empty? ? "nothing" : paths[random.rand(paths.size)]
        send(kind, File.join(root, name), random)
        "#{kind} #{name}"
      rescue SystemCallError => e
        "#{kind} #{name}: #{e.class}"
      end

      # Restores all permissions, so that the next case can remove the folder.
      def unlock(root)
        system("chmod", "-R", "u+rwx", root, err: File::NULL)
      end

      private

      def truncate(path, random) = File.truncate(path, random.rand(File.size(path) + 1))

      def empty(path, _random) = File.truncate(path, 0)

      def overwrite(path, random) = File.binwrite(path, random.bytes(random.rand(60)))

      def append(path, random) = File.binwrite(path, random.bytes(9), mode: "ab")

      def directory(path, _random)
        File.unlink(path)
        Dir.mkdir(path)
      end

      def link(path, _random)
        File.rename(path, "#{path}.real")
        File.symlink("#{File.basename(path)}.real", path)
      end

      def loop(path, _random)
        FileUtils.rm_r(path)
        File.symlink(File.basename(path), path)
      end

      def dangle(path, _random)
        FileUtils.rm_r(path)
        File.symlink("nowhere", path)
      end

      def lock(path, _random) = File.chmod(0, path)

      def lock_folder(path, random) = File.chmod([0, 0o111, 0o444, 0o555][random.rand(4)], File.dirname(path))

      def remove(path, _random) = FileUtils.rm_r(path)

      def remove_all(path, _random) = FileUtils.rm_r(Dir.glob("#{path}/*"))

      def file_above(path, _random)
        folder = File.dirname(path)
        FileUtils.rm_r(folder)
        File.binwrite(folder, "a file")
      end
    end
  end
end
