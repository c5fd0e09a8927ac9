# frozen_string_literal: true

require "fiddle"
require "fileutils"
require "open3"

module Safety
  # A type of file system, which this machine may be able to mount. The tests check for each
  # type what the times of its files prove.
  #
  #   FileSystem::ALL.each { |type| type.missing || type.mount(folder) { |place| File.write("#{place}/a", "") } }
  #
  # Mounts are made in a mount namespace of this process and its children, so they disappear
  # when these have ended.
  class FileSystem
    CLONE_NEWNS = 0x20000
    DETACH = %w[umount -l].freeze
    private_constant :CLONE_NEWNS, :DETACH

    # @param name [String]
    # @param type [String, nil] for mount -t; nil: a directory that is not mounted
    # @param size [Integer] of its image, in MB; 0: it needs none
    # @param make [Array<String>] the command that creates it in an image
    # @param command [Array<String>] the command that mounts it, if it is not mount
    def initialize(name, type = name, size: 0, make: [], command: [])
      @name = name
      @type = type
      @size = size
      @make = make
      @command = command
    end

    attr_reader :name

    # The reason why it cannot be mounted here, or nil.
    def missing
      return if @type.nil?
      return "only root on Linux can mount" unless Process.uid.zero? && RUBY_PLATFORM.include?("linux")
      return "this kernel has no #{@type}" unless File.read("/proc/filesystems").match?(/\t#{@type}$/)

      tool = [@make.first, @command.first].compact.find { |program| !installed?(program) }
      return "#{tool} is not installed" if tool

      FileSystem.refusal
    end

    # @param folder [String] for the image and the mount point
    # @yieldparam place [String] an empty folder on it
    def mount(folder)
      return yield(Dir.mkdir("#{folder}/plain") && "#{folder}/plain") if @type.nil?

      place = "#{folder}/#{@name.tr(" ", "-")}"
      Dir.mkdir(place)
      run(*arguments(folder), place)
      inside = "#{place}/frugal-test-#{Process.pid}" # all mounts of devtmpfs share their content
      Dir.mkdir(inside)
      yield inside
    ensure
      FileUtils.rm_rf(inside) if inside
      system(*DETACH, place, err: File::NULL) if place
    end

    class << self
      # The reason why this process may not mount, or nil. The first call moves the process to its own namespace.
      def refusal
        return @refusal if defined?(@refusal)

        allowed = unshare && system("mount", "--make-rprivate", "/", err: File::NULL)
        @refusal = ("mounting is not allowed here" unless allowed)
      end

      private

      def unshare
        unshare = Fiddle::Function.new(Fiddle::Handle::DEFAULT["unshare"], [Fiddle::TYPE_INT], Fiddle::TYPE_INT)
        unshare.call(CLONE_NEWNS).zero?
      end
    end

    private

    def arguments(folder)
      return [*@command, under(folder, "below")] if @command.any?
      return ["mount", "-t", @type, "-o", "loop", image(folder)] if @size.positive?
      return ["mount", "-t", @type, "frugal-test"] unless @type == "overlay"

      layers = %w[lower upper work].map { |layer| "#{layer}dir=#{under(folder, layer)}" }
      ["mount", "-t", @type, "-o", layers.join(","), "frugal-test"]
    end

    def under(folder, name) = "#{folder}/#{@name.tr(" ", "-")}-#{name}".tap { |path| Dir.mkdir(path) }

    def image(folder)
      "#{folder}/#{@name.tr(" ", "-")}.image".tap do |image|
        File.open(image, "w") { |file| file.truncate(@size * 1_048_576) }
        run(*@make, image)
      end
    end

    def run(*command)
      out, status = Open3.capture2e(*command)
      raise "#{command.join(" ")}: #{out}" unless status.success?
    end

    def installed?(program) = system("sh", "-c", "command -v #{program}", out: File::NULL)

    ALL = [
      new("directory", nil),
      new("tmpfs"),
      new("devtmpfs"),
      new("overlay"),
      new("ext2", size: 16, make: %w[mkfs.ext2 -q -F]),
      new("ext3", size: 16, make: %w[mkfs.ext3 -q -F]),
      new("ext4", size: 16, make: %w[mkfs.ext4 -q -F -I 256]),
      new("ext4 of whole seconds", "ext4", size: 16, make: %w[mkfs.ext4 -q -F -I 128]),
      new("xfs", size: 300, make: %w[mkfs.xfs -q -f]),
      new("btrfs", size: 128, make: %w[mkfs.btrfs -q -f]),
      new("vfat", size: 16, make: %w[mkfs.vfat]),
      new("fuse", command: %w[bindfs]),
      new("fuse that refuses chmod", "fuse", command: %w[bindfs --chmod-deny --chown-deny])
    ].freeze
  end
end
