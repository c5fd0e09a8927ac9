# frozen_string_literal: true

require_relative "beneath_file"

module Frugal
  module Native
    module Pure
      # The C engine's class of this name. Plain Ruby has no open that stays beneath a
      # directory. So a file is opened by its path and then asked, by its descriptor, which path it
      # has: Linux knows, whatever became of the names. Elsewhere the names are compared once more,
      # which a directory that is swapped for a link quickly enough can deceive.
      #
      # The root's path is resolved each time, unless all links are followed (true, as in the
      # C engine; :inside is for those that stay beneath the directory); its third argument is of
      # no use here.
      class Beneath
        FOLLOWING = %i[NONBLOCK NOCTTY].sum(File::RDONLY) { |name| File.const_defined?(name) ? File.const_get(name) : 0 }
        FLAGS = FOLLOWING | (File.const_defined?(:NOFOLLOW) ? File::NOFOLLOW : 0)
        FAULTS = [Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM].freeze
        MOST_LINKS = 40
        NAMES = Encoding.find("filesystem")
        private_constant :FOLLOWING, :FLAGS, :FAULTS, :MOST_LINKS, :NAMES

        def self.unescape(path)
          plain = path.b.gsub(/%\h\h/) { |escaped| escaped[1, 2].hex.chr }
          plain.force_encoding(path.encoding == Encoding::US_ASCII ? Encoding::UTF_8 : path.encoding)
        end

        def initialize(root, follow, _good_for)
          @root = File.path(root)
          @follow = follow
          freeze
        end

        def open(path)
          return false if path.include?("\0") || !path.valid_encoding?

          names = clean(path.b)
          return if names.empty?

          path = names.join("/").force_encoding(path.encoding).freeze
          return open_file(name(@root.b, names), path, FOLLOWING) if @follow == true

          open_beneath(File.realpath(@root).b, names, path)
        rescue *FAULTS
          raise
        rescue SystemCallError
          nil
        end

        private

        def clean(path)
          path.split("/").each_with_object([]) do |name, names|
            next if name.empty? || name == "."

            name == ".." ? names.pop : names << name
          end
        end

        def open_beneath(root, names, path)
          names = resolve(root, names) or return if @follow
          full = name(root, names)
          open_file(full, path, FLAGS) { |file| there?(file, full) }
        end

        # The block says whether it is the file that was meant.
        def open_file(full, path, flags)
          return unless File.file?(full) && File.readable?(full)

          file = File.open(full, flags)
          return BeneathFile.new(file, path) if file.stat.file? && (!block_given? || yield(file))

          file.close
          nil
        end

        def there?(file, full)
          return File.readlink("#{BeneathFile::DESCRIPTORS}/#{file.fileno}").b == full.b if BeneathFile::DESCRIPTORS

          there = File.lstat(full)
          File.realpath(full).b == full.b && [there.dev, there.ino] == [file.stat.dev, file.stat.ino]
        end

        # The names that are left when each link has been replaced by its text; nil where that leads out.
        def resolve(root, rest)
          gone = []
          links = 0
          until rest.empty?
            return unless gone.empty? || File.directory?(name(root, gone))

            first, *rest = rest
            case first
            when "", "." then next
            when ".." then gone.pop or return
            else
              gone << first
              next unless File.symlink?(name(root, gone))

              text = File.readlink(name(root, gone)).b
              return if text.start_with?("/") || (links += 1) > MOST_LINKS

              gone.pop
              rest = text.split("/", -1) + rest
            end
          end
          gone
        end

        def name(root, names) = [root, *names].join("/").force_encoding(NAMES)
      end
    end
  end
end
