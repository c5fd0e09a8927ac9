# frozen_string_literal: true

require "open3"

# The tree of a repository with its .gitignore files, and the ignored paths: according to
# git, and computed from the verdicts of the rules of each file.
#
#   world = IgnoreWorld.new(%w[a.o lib/ lib/b.o], { "" => "*.o\n", "lib" => "!b.o\n" })
#   world.build(path("world"))
#   world.git_verdicts                       # => { "a.o" => :out, "lib" => nil, "lib/b.o" => :in, … }
#   world.verdicts { |bytes, rel, directory| … }
class IgnoreWorld
  EXCLUDE = :exclude # the key of .git/info/exclude in `rules`

  # Disables the settings of the machine and the user.
  ENVIRONMENT = { "GIT_CONFIG_NOSYSTEM" => "1", "GIT_CONFIG_GLOBAL" => File::NULL, "XDG_CONFIG_HOME" => "/nonexistent",
                  "HOME" => "/nonexistent", "GIT_DIR" => nil, "GIT_WORK_TREE" => nil, "GIT_INDEX_FILE" => nil }.freeze

  def self.git(*arguments, chdir:, stdin: "")
    out, err, status = Open3.capture3(ENVIRONMENT, "git", *arguments, chdir: chdir, stdin_data: stdin, binmode: true)
    raise "git #{arguments.join(" ")}: #{err}" if status.exitstatus.to_i > 1 || !status.exited? # 1: nothing is ignored

    out
  end

  # Whether this git reads "a**/b" as git did before 2.53, and as frugal does.
  def self.disputed?(root)
    world = new(%w[ab], { "" => "a**/b" })
    world.build(root)
    world.git_verdicts.fetch("ab") == :out
  end

  # The files that `git init` creates. A process for each repository would take most of the time.
  REPOSITORY = { "HEAD" => "ref: refs/heads/main\n", "config" => "[core]\n\trepositoryformatversion = 0\n\tignorecase = false\n",
                 "objects/info/packs" => "", "refs/heads/.keep" => "", "info/exclude" => "" }.freeze

  # @return [Hash{String => Boolean}] path → whether it is a directory
  attr_reader :paths

  attr_reader :rules

  # @param names [Array<String>] paths; a folder ends with "/"
  # @param rules [Hash{String, Symbol => String}] folder, or EXCLUDE → the bytes of its file
  # @param links [Array<String>] those of the names that are links to a directory
  def initialize(names, rules, links: [])
    @rules = rules
    @links = links.map(&:b)
    names += (rules.keys - [EXCLUDE]).map { |folder| below(folder, ".gitignore") }
    @paths = {}
    names.each { |name| add(name) }
  end

  def build(root)
    @root = root
    REPOSITORY.each do |name, content|
      FileUtils.mkdir_p(File.dirname("#{root}/.git/#{name}"))
      File.write("#{root}/.git/#{name}", content)
    end
    @paths.each { |path, directory| make(File.join(root, path), path, directory) }
    @rules.each do |folder, bytes|
      File.binwrite(folder == EXCLUDE ? "#{root}/.git/info/exclude" : File.join(root, folder, ".gitignore"), bytes)
    end
  end

  # @return [Hash{String => Symbol, nil}]
  def git_verdicts
    out = self.class.git("check-ignore", "--no-index", "--stdin", "-z", "-v", "-n",
                         chdir: @root, stdin: @paths.keys.map { |path| "./#{path}\0" }.join)
    out.split("\0", -1).each_slice(4).to_a[0...-1].to_h do |source, _, pattern, path|
      [path.delete_prefix("./"), source.empty? ? nil : verdict(pattern)]
    end
  end

  # @return [Array<String>] the files below a folder that git does not ignore, sorted
  def git_files(folder = ".")
    self.class.git("ls-files", "-o", "--exclude-standard", "-z", chdir: File.join(@root, folder)).split("\0").sort
  end

  # Computes the verdicts from those of each file.
  #
  # @yieldparam bytes [String] the rules of a file
  # @yieldparam rel [String] the path relative to that file
  # @yieldparam directory [Boolean]
  # @yieldreturn [Symbol, nil] the verdict of these rules
  # @return [Hash{String => Symbol, nil}]
  def verdicts(&ask)
    @paths.each_with_object({}) do |(path, directory), found|
      parent = parent(path)
      found[path] = parent && found.fetch(parent) == :out ? :out : decide(path, directory, &ask)
    end
  end

  def files(verdicts) = verdicts.filter_map { |path, verdict| path if verdict != :out && !@paths[path] }.sort

  # @return [Array<Array(String, String, Boolean)>] the rules of each file with each path that they apply to
  def questions
    @paths.flat_map { |path, directory| levels(path).map { |bytes, rel| [bytes, rel, directory] } }
  end

  # The failure message for a wrong verdict.
  def to_s = "rules: #{@rules.inspect}\npaths: #{@paths.inspect}"

  private

  def verdict(pattern) = pattern.start_with?("!") ? :in : :out

  def decide(path, directory)
    levels(path).each do |bytes, rel|
      verdict = yield(bytes, rel, directory)
      return verdict if verdict
    end
    nil
  end

  # The rules that apply to a path, the deepest first, and the path relative to each.
  def levels(path)
    found = []
    folder = path
    while folder != ""
      folder = parent(folder) || ""
      found << [@rules[folder], folder.empty? ? path : path.byteslice(folder.bytesize + 1..)] if @rules[folder]
    end
    @rules[EXCLUDE] ? found << [@rules[EXCLUDE], path] : found
  end

  def below(folder, name) = folder.empty? ? name : "#{folder}/#{name}"

  def parent(path) = path.include?("/") ? path[0...path.rindex("/")] : nil

  # Adds the parents first, because {#verdicts} needs their verdicts first.
  def add(name)
    path = name.delete_suffix("/").b
    parent = parent(path)
    add("#{parent}/") if parent && !@paths.key?(parent)
    @paths[path] ||= name.end_with?("/")
  end

  def make(file, path, directory)
    if directory then FileUtils.mkdir_p(file)
    elsif @links.include?(path) then File.symlink(".", file)
    else File.binwrite(file, "")
    end
  end
end
