# frozen_string_literal: true

require "fileutils"
require "socket"

module FilesFuzz
  # A random directory, and another one beside it, of which no file may be served.
  class Tree
    NAMES = ["a", "b.html", "c.JS", "d.svg", "x y.css", "ümlaut.txt", "%41", "%2e%2e", "..x", "...", ".hidden", "a.b.json", "back\\slash",
             "new\nline", "q?.png", "n" * 255, "\xFF\xFE.txt".b, "e.tar.gz", "z.xyz"].freeze
    SIZES = [0, 1, 2, 10, 100, 65_535, 65_536, 65_537, 150_000].freeze
    OUTSIDE = "this lies outside"

    # @return [String]
    attr_reader :root

    # @return [Array<String>] existing paths beneath the root
    attr_reader :paths

    def initialize(home, random)
      @random = random
      @home = home
      @root = File.join(home, "root")
      @paths = []
      FileUtils.mkdir_p("#{home}/outside/a")
      %w[secret a/secret].each { |name| File.write("#{home}/outside/#{name}", OUTSIDE) }
      Dir.mkdir(@root)
      fill(nil, 0)
      @random.rand(3).times { link }
      @random.rand(2).times { spoil }
    end

    def remove
      system("chmod", "-R", "u+rwx", @home, err: File::NULL) unless Process.uid.zero?
      FileUtils.rm_rf(@home)
    end

    private

    def under(*names) = names.compact.map(&:b).join("/".b)

    def fill(folder, depth)
      NAMES.sample(@random.rand(1..6), random: @random).each do |name|
        path = under(folder, name)
        @paths << path
        if depth < 3 && @random.rand(4).zero?
          Dir.mkdir(under(@root, path))
          fill(path, depth + 1)
        elsif @random.rand(30).zero?
          special(under(@root, path))
        else
          file(path)
        end
      end
    end

    def file(path)
      content(path)
      return unless @random.rand(2).zero?

      %w[.gz .br].sample(@random.rand(1..2), random: @random).each do |suffix|
        content(under(path) + suffix) if File.basename(path).bytesize < 250
      end
    end

    def content(path)
      full = under(@root, path)
      size = SIZES.sample(random: @random)
      File.binwrite(full, @random.bytes(40).*(size / 40 + 1)[0, size])
      time = [Time.now, Time.at(1_700_000_000, @random.rand(1_000_000_000), :nsec), Time.at(5), Time.at(5), Time.at(5), Time.at(-5)].sample(random: @random)
      File.utime(time, time, full)
      @paths << path unless @paths.include?(path)
    end

    def special(full)
      if @random.rand(2).zero? then File.mkfifo(full)
      else
        UNIXServer.new("#{@home}/socket").close
        File.rename("#{@home}/socket", full)
      end
    end

    # A link that leads out of the root does not lead back into it.
    def link
      folder = [nil, *@paths.select { |path| File.directory?(under(@root, path)) && !File.symlink?(under(@root, path)) }].sample(random: @random)
      up = folder ? folder.count("/") + 1 : 0
      target = case @random.rand(4)
               when 0 then "#{"../" * (up + 1)}outside#{["", "/secret", "/a"].sample(random: @random)}"
               when 1 then "../" * @random.rand(0..up) + (@random.rand(2).zero? ? "" : "./")
               when 2 then under(*([".."] * @random.rand(0..up)), @paths.sample(random: @random), *["", nil, "."].sample(random: @random))
               else %w[link1 link2 link3 /etc].push(@home).sample(random: @random)
               end
      path = under(folder, "link#{@random.rand(4)}")
      File.symlink(target, under(@root, path)) unless target.empty? || File.symlink?(under(@root, path))
      @paths.push(path, under(path, %w[secret a].push(*NAMES).sample(random: @random)))
    end

    def spoil
      path = under(@root, @paths.sample(random: @random))
      File.chmod([0, 0o100, 0o311, 0o444].sample(random: @random), path) if File.exist?(path) && File.realpath(path).b.start_with?(@root.b)
    end
  end
end
