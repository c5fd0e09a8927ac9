# frozen_string_literal: true

require_relative "beneath_file"

module Frugal
  module Native
    module Pure
      # The pure twin of the C class of this name: opens only files beneath a directory. Ruby has
      # no `open` that is limited to a directory. So this class opens a file by its path, and then
      # checks the path of the descriptor, which Linux reports reliably. On other systems it
      # resolves the path a second time; a directory that is replaced by a link between these two
      # steps can evade the check.
      #
      # `follow` is true to follow all links, :inside for links that stay beneath the directory,
      # or false. Unless it is true, the root's path is resolved for each file. The third
      # argument is for the C engine only.
      class Beneath
        FOLLOWING = File::RDONLY | File::NONBLOCK | File::NOCTTY
        FLAGS = FOLLOWING | Platform::O_NOFOLLOW
        FAULTS = [Errno::EMFILE, Errno::ENFILE, Errno::ENOMEM].freeze
        MAX_LINKS = 40
        NAMES = Encoding.find("filesystem")
        private_constant :FOLLOWING, :FLAGS, :FAULTS, :MAX_LINKS, :NAMES

        def self.unescape(path)
          unescaped = path.b.gsub(/%\h\h/) { |escaped| escaped[1, 2].hex.chr }
          unescaped.force_encoding(path.encoding == Encoding::US_ASCII ? Encoding::UTF_8 : path.encoding)
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
          open_file(full, path, FLAGS) { |file| at_path?(file, full) }
        end

        # @yieldreturn [Boolean] whether the opened file is the requested one
        def open_file(full, path, flags)
          return unless File.file?(full) && File.readable?(full)

          file = File.open(full, flags)
          return BeneathFile.new(file, path) if file.stat.file? && (!block_given? || yield(file))

          file.close
          nil
        end

        def at_path?(file, full)
          return File.readlink("#{BeneathFile::DESCRIPTORS}/#{file.fileno}").b == full.b if BeneathFile::DESCRIPTORS

          there = File.lstat(full)
          File.realpath(full).b == full.b && [there.dev, there.ino] == [file.stat.dev, file.stat.ino]
        end

        # Replaces each link by its target.
        #
        # @return [Array<String>, nil] nil if the path leaves the root
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
              return if text.start_with?("/") || (links += 1) > MAX_LINKS

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
