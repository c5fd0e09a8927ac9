# frozen_string_literal: true

require "fiddle"
require "fileutils"
require "open3"

module Safety
  # The types of file systems that this machine can mount, for tests of what the
  # times of files prove on each.
  #
  #   FileSystem::ALL.each { |type| type.missing || type.mount(folder) { |place| File.write("#{place}/a", "") } }
  #
  # Mounts are made in a namespace of this process and its children: nothing of
  # them is left when these have ended.
  class FileSystem
    CLONE_NEWNS = 0x20000
    DETACH = %w[umount -l].freeze
    private_constant :CLONE_NEWNS, :DETACH

    # @param name [String]
    # @param type [String, nil] as mount -t knows it; nil: a plain directory
    # @param size [Integer] of its image, in MB; 0: it needs none
    # @param make [Array<String>] what makes it in an image
    # @param command [Array<String>] what mounts it, where it is not mount
    def initialize(name, type = name, size: 0, make: [], command: [])
      @name = name
      @type = type
      @size = size
      @make = make
      @command = command
    end

    attr_reader :name

    # Why it cannot be mounted here, or nil.
    def missing
      return if @type.nil?
      return "mounting is for root, and on Linux" unless Process.uid.zero? && RUBY_PLATFORM.include?("linux")
      return "this kernel has no #{@type}" unless File.read("/proc/filesystems").match?(/\t#{@type}$/)

      tool = [@make.first, @command.first].compact.find { |program| !installed?(program) }
      return "there is no #{tool}" if tool

      FileSystem.refusal
    end

    # @param folder [String] where an image and the place of the mount may lie
    # @yieldparam place [String] an empty folder on it
    def mount(folder)
      return yield(Dir.mkdir("#{folder}/plain") && "#{folder}/plain") if @type.nil?

      place = "#{folder}/#{@name.tr(" ", "-")}"
      Dir.mkdir(place)
      run(*arguments(folder), place)
      inside = "#{place}/frugal-test-#{Process.pid}" # all mounts of devtmpfs are one
      Dir.mkdir(inside)
      yield inside
    ensure
      FileUtils.rm_rf(inside) if inside
      system(*DETACH, place, err: File::NULL) if place
    end

    class << self
      # Why this process may not mount, or nil. Moves it to a namespace of its own, once.
      def refusal
        return @refusal if defined?(@refusal)

        @refusal = ("mounting is not allowed here" unless unshare && system("mount", "--make-rprivate", "/", err: File::NULL))
      end

      private

      def unshare
        Fiddle::Function.new(Fiddle::Handle::DEFAULT["unshare"], [Fiddle::TYPE_INT], Fiddle::TYPE_INT).call(CLONE_NEWNS).zero?
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
