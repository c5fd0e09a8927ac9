# frozen_string_literal: true

module CheckerFuzz
  # A random tree in the current directory, what is watched in it, and random changes to it.
  class World
    # Most are taken from the first six, and from the first nine endings.
    FOLDERS = ["app", "app/models", "app/models/deep/er", "lib", ".hidden", "app/.git", "a,b", "x{y}", "data[1]", "link",
               "link/in", "missing", "missing/too", "file.rb", "ä", "a b"].freeze
    NAMES = ["a.rb", "b.rb", "c.yml", "d.html.erb", "e.erb", ".rb", ".h.rb", "rb", "f", "models.rb", "é.rb", "g.r,b", "h.RB",
             "i.{rb}", "\xFF.rb"].freeze
    ENDINGS = [[], ["rb"], [:rb], ["rb", :rb], %w[rb yml], ["html.erb", "erb"], ["{rb,yml}"], ["{html.{erb,x},erb}", "rb"],
               "rb", [""], ["*"], ["r?"], ["{rb"], ["rb}"], ["a,rb"], [nil, "rb"]].freeze
    CHANGES = %i[write write append touch old future remove rename link hard_link folder remove_folder rename_folder
                 dangling replace_folder swap mode move_in nothing nothing settle toggle toggle].freeze

    # @return [Array<String, Pathname>] as of the first parameter of a checker
    attr_reader :files
    # @return [Hash{String => Object}] as of the second
    attr_reader :folders

    def initialize(random)
      @random = random
      here = random.rand(3).zero? ? "" : "#{Dir.pwd}/"
      rand(3..12).times { make(path) }
      @files = Array.new(rand(4)) { "#{here}#{path}" }
      @files.map! { |file| Pathname(file) } if rand(6).zero?
      @files << @files.first if @files.any? && rand(4).zero?
      @folders = Array.new(rand(4)) { ["#{here}#{usual(FOLDERS, 6)}", usual(ENDINGS, 9)] }.to_h
    end

    # @return [Array<String>] what was done
    def change
      Array.new(rand(4)) do
        name = pick(CHANGES)
        send(name)
        name.to_s
      rescue SystemCallError => e
        "#{name} (#{e.class})"
      end
    end

    private

    def rand(range) = @random.rand(range)
    def pick(list) = list[rand(list.size)]
    def usual(list, count) = pick(rand(3).zero? ? list : list.first(count))
    def path = File.join(pick(FOLDERS), pick(NAMES))
    def folder_path = [pick(FOLDERS), path][rand(2)]

    # Mostly one that is there.
    def some
      all = Dir.glob("**/*", File::FNM_DOTMATCH).reject { |one| File.basename(one) == "." }
      all.any? && rand(5).positive? ? pick(all.sort) : path
    end

    def make(path)
      FileUtils.mkdir_p(File.dirname(path))
      File.write(path, "x", mode: "a")
    rescue SystemCallError
      nil # there is a file where the folder should be
    end

    def write = make(path)
    def append = File.write(some, "y", mode: "a")
    def touch = FileUtils.touch(some)
    def old = File.utime(0, rand(2) * rand(1_500_000_000), some)
    def future = File.utime(0, Time.now + rand(1_000_000) + 60, some)
    def remove = File.unlink(some)
    def rename = File.rename(some, some)
    def link = File.symlink(rand(2).zero? ? "app" : File.expand_path(some), pick(["link", some, "app/link", path]))
    def hard_link = File.link(some, path)
    def folder = FileUtils.mkdir_p(folder_path)
    def remove_folder = FileUtils.rm_rf(pick(FOLDERS))
    def rename_folder = File.rename(pick(FOLDERS), pick(FOLDERS))
    def dangling = File.symlink("nowhere", path)
    def nothing = nil

    # Longer than a tick of the kernel's clock: after it, the times of folders prove their lists.
    def settle = sleep(0.03)

    # A folder of the same name with other files.
    def replace_folder
      folder = pick(FOLDERS)
      FileUtils.mkdir_p("new")
      File.write("new/#{pick(NAMES)}", "z")
      FileUtils.rm_rf(folder)
      File.rename("new", folder)
    end

    def swap
      one, other = pick(FOLDERS), pick(FOLDERS)
      File.rename(one, "swapped")
      File.rename(other, one)
      File.rename("swapped", other)
    end

    def mode = File.chmod([0o000, 0o300, 0o500, 0o700, 0o755][rand(5)], pick(FOLDERS))

    # Is there, and then as if it had never been there.
    def toggle
      passing = "app/passing.rb"
      return File.unlink(passing) if File.exist?(passing)

      make(passing)
      File.utime(0, 1_000_000_000, passing)
    end

    # By its mtime, it is no newer than before.
    def move_in
      File.write("outside", "o")
      File.utime(0, 1_000_000_000, "outside")
      File.rename("outside", path)
    end
  end
end
