# frozen_string_literal: true

require_relative "tree"

module FindFuzz
  # The block of a find: sometimes does a random action with a path, the same for the
  # same random numbers. Most actions change a listed sibling, an ancestor or the root.
  class Block
    ACTIONS = %i[
      prune prune mkdir mkdir remove remove rename directory_for_file directory_for_file file_for_directory
      ancestor_replaced ancestor_replaced ancestor_removed replace_by_link touch exchange chmod root_moved
      chdir chdir_within chdir_to_handle nested leave_by_catch leave_by_raise leave_by_throw mutate fork_child
      parent_replaced change_in_child
    ].freeze - (Process.respond_to?(:fork) ? [] : %i[fork_child])

    def initialize(random, start)
      @random = random
      @start = start
      @seen = []
      @child = false
      # How often this case does an action, and which ones it may do.
      @rate = [0.02, 0.1, 0.3].sample(random: random)
      @actions = ACTIONS.sample(random.rand(1..8), random: random)
    end

    # @return [Array] the paths in their order, and the errors of the actions
    attr_reader :seen

    # Whether this is a forked child that continues the walk.
    def child? = @child

    # @param finder [#call] the find under test, for nested walks
    def call(path, finder)
      @finder = finder
      @seen << [path.dup, path.encoding, path.frozen?, path.class]
      throw :enough if @seen.size > 400
      return if @random.rand >= @rate

      __send__(@actions.sample(random: @random), path)
    rescue SystemCallError, IOError => e
      @seen << e.class
    end

    private

    # Raises for a path outside of this case's folder, in any working directory.
    def safe(path)
      real = File.realpath(File.dirname(File.expand_path(path)))
      raise Errno::EPERM, path unless real == @start || real.start_with?("#{@start}/")

      path
    end

    def name = Tree::NAMES.sample(random: @random)
    def sibling(path) = safe(File.join(File.dirname(path), name))

    def pick(path)
      paths = [path, sibling(path), sibling(path), File.join(path, name), ancestor(path)]
      safe(paths.sample(random: @random))
    end

    def ancestor(path)
      parts = path.split("/")
      safe(parts.first([1, @random.rand(1..parts.size)].max).join("/"))
    end

    def away = "#{@start}/away#{@random.rand(3)}"
    def clear(path) = File.lstat(path).directory? ? Tree.remove(path) : File.delete(path)

    def fill(path)
      Dir.mkdir(path)
      Tree::NAMES.sample(3, random: @random).each do |name|
        @random.rand < 0.5 ? File.write("#{path}/#{name}", "") : Dir.mkdir("#{path}/#{name}")
      end
    end

    def prune(_) = Find.prune
    def mkdir(path) = fill(pick(path))
    def remove(path) = clear(pick(path))
    def rename(path) = File.rename(pick(path), pick(path))
    def touch(path) = File.open(pick(path), File::WRONLY | File::CREAT | File::NONBLOCK) { |file| file.write("x") }

    def chmod(path)
      target = pick(path)
      File.chmod([0o000, 0o700, 0o400].sample(random: @random), target) unless File.symlink?(target)
    end

    def directory_for_file(path)
      target = safe([path, sibling(path)].sample(random: @random))
      File.delete(target) if File.lstat(target).file?
      fill(target)
    end

    def file_for_directory(path)
      target = pick(path)
      clear(target)
      File.write(target, "")
    end

    def ancestor_replaced(path)
      target = ancestor(path)
      File.rename(target, away)
      @random.rand < 0.3 ? File.symlink(Dir.pwd, target) : fill(target)
      fill(safe(path)) if @random.rand < 0.5
      fill(sibling(path))
    end

    def ancestor_removed(path)
      target = ancestor(path)
      clear(target)
      fill(target)
      fill(sibling(path))
    end

    def replace_by_link(path)
      target = pick(path)
      clear(target)
      File.symlink(["..", ".", @start].sample(random: @random), target)
    end

    def exchange(path)
      one, two = pick(path), pick(path)
      File.rename(one, away)
      File.rename(two, one)
      File.rename(Dir["#{@start}/away*"].min, two)
    end

    def root_moved(_)
      File.rename("#{@start}/t", away)
      root = "#{@start}/t"
      @random.rand < 0.5 ? Tree.new(@random).make(root) : File.symlink(Dir["#{@start}/away*"].min, root)
    end

    # Replaces the folder above the root, and the link that leads to it.
    def parent_replaced(_)
      if File.symlink?("#{@start}/link")
        File.delete("#{@start}/link")
        File.symlink([".", "t", "away0"].sample(random: @random), "#{@start}/link")
      end
      File.rename(@start, "#{@start}.moved")
      Dir.mkdir(@start)
      @random.rand < 0.5 ? Tree.new(@random).make("#{@start}/t") : nil
    end

    def chdir(path) = Dir.chdir([@start, "#{@start}/t", pick(path)].sample(random: @random))
    def chdir_within(path) = Dir.chdir(pick(path)) { @seen << Dir.children(".").sort }
    # Uses the descriptor since Ruby 3.3.
    def chdir_to_handle(path) = Dir.open(pick(path)) { |dir| dir.respond_to?(:chdir) ? dir.chdir : Dir.chdir(dir.path) }
    def nested(path) = @finder.call([safe(path)]) { |inner| (@seen << inner.dup) && @random.rand < 0.2 && Find.prune }
    def leave_by_catch(_) = throw(:enough)
    def leave_by_raise(path) = raise(ArgumentError, path)
    def leave_by_throw(_) = throw(:prune, 1)
    def mutate(path) = path.replace("changed")

    # The child continues the walk, with changes of its own.
    def fork_child(path)
      return if @child

      pid = fork
      return Process.wait(pid) if pid

      @child = true
      @seen.clear
      fill(sibling(path))
    end

    def change_in_child(path) = system("mkdir", "-p", pick(path), "#{sibling(path)}/a/b", err: File::NULL)
  end
end
