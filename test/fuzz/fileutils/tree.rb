# frozen_string_literal: true

module FileutilsFuzz
  # A small random tree in the current folder, the same for the same random numbers.
  class Tree
    NAMES = ["a", "b", "c", "d", "e", "a b", ".h", "-r", "ä", "\xFF\n", "~x", "x!", "u:\\"].freeze
    KINDS = %i[file file file empty directory directory directory directory link link fifo hardlink readonly
               locked].freeze
    TARGETS = [".", "a", "b/", "nothing", "../b", "a/c", ""].freeze
    MODES = [0o644, 0o644, 0o600, 0o755, 0o444, 0o4755, 0o000].freeze
    OLD = Time.at(1_000_000_000)

    def initialize(random)
      @random = random
      @files = []
      @made = []
    end

    def make(folder)
      grow(folder, 0)
      deep(folder) if @random.rand < 0.04
      @made.reverse_each { |path, mode| set_time_and_mode(path, mode) }
    end

    private

    def grow(folder, depth)
      Dir.mkdir(folder)
      @made << [folder, depth.positive? && @random.rand < 0.1 ? 0o500 : 0o755]
      count = @random.rand(depth.zero? ? 3..8 : 0..5)
      NAMES.sample(count, random: @random).each { |name| add("#{folder}/#{name}", depth) }
    end

    def add(path, depth)
      case KINDS.sample(random: @random)
      when :empty then write(path, "")
      when :file then write(path, @random.bytes(@random.rand(1..20) * (@random.rand < 0.1 ? 10_000 : 1)))
      when :readonly then write(path, "read only", 0o444)
      when :link then File.symlink(TARGETS.first(6).sample(random: @random), path)
      when :fifo then File.mkfifo(path)
      when :hardlink then @files.empty? ? write(path, "") : File.link(@files.sample(random: @random), path)
      when :locked
        Dir.mkdir(path)
        write("#{path}/inside", "") if @random.rand < 0.7
        @made << [path, [0o000, 0o400, 0o100, 0o300, 0o555].sample(random: @random)]
      else depth < 4 ? grow(path, depth + 1) : Dir.mkdir(path)
      end
    end

    def write(path, content, mode = MODES.sample(random: @random))
      File.binwrite(path, content)
      @files << path
      @made << [path, mode]
    end

    # Deeper than the drop-in's levels, or longer than a path may be.
    def deep(folder)
      name, count = [["D", 70], ["n" * 250, 17], ["D" * 100, 40]].sample(random: @random)
      back = Dir.pwd
      Dir.chdir(folder)
      count.times { Dir.mkdir(name) && File.write("f", "") && Dir.chdir(name) }
      File.symlink("nothing", "end")
    ensure
      Dir.chdir(back)
    end

    # Called from the deepest entry up, since a change in a folder changes its time.
    def set_time_and_mode(path, mode)
      File.utime(OLD, OLD + @random.rand(1000), path)
      File.chmod(mode, path)
    rescue Errno::EACCES, Errno::EPERM
      nil
    end
  end
end
