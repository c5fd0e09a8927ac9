# frozen_string_literal: true

require "open3"

# A repository's tree with its .gitignore files, and what is ignored there:
# as git says, and as it follows from the answers of each file's rules.
#
#   world = IgnoreWorld.new(%w[a.o lib/ lib/b.o], { "" => "*.o\n", "lib" => "!b.o\n" })
#   world.build(path("world"))
#   world.git_verdicts                       # => { "a.o" => :out, "lib" => nil, "lib/b.o" => :in, … }
#   world.verdicts { |bytes, rel, directory| … }
class IgnoreWorld
  EXCLUDE = :exclude # .git/info/exclude, among the folders of the rules

  # Nothing of the machine's own settings.
  ENVIRONMENT = { "GIT_CONFIG_NOSYSTEM" => "1", "GIT_CONFIG_GLOBAL" => File::NULL, "XDG_CONFIG_HOME" => "/nonexistent",
                  "HOME" => "/nonexistent", "GIT_DIR" => nil, "GIT_WORK_TREE" => nil, "GIT_INDEX_FILE" => nil }.freeze

  def self.git(*arguments, chdir:, stdin: "")
    out, err, status = Open3.capture3(ENVIRONMENT, "git", *arguments, chdir: chdir, stdin_data: stdin, binmode: true)
    raise "git #{arguments.join(" ")}: #{err}" if status.exitstatus.to_i > 1 || !status.exited? # 1: nothing is ignored

    out
  end

  # Does this git read "a**/b" as all gits did before 2.53, and as we do?
  def self.disputed?(root)
    world = new(%w[ab], { "" => "a**/b" })
    world.build(root)
    world.git_verdicts.fetch("ab") == :out
  end

  # What git init would make; a process for each would take most of the time.
  REPOSITORY = { "HEAD" => "ref: refs/heads/main\n", "config" => "[core]\n\trepositoryformatversion = 0\n\tignorecase = false\n",
                 "objects/info/packs" => "", "refs/heads/.keep" => "", "info/exclude" => "" }.freeze

  # @return [Hash{String => Boolean}] each path: is it a directory?
  attr_reader :paths

  attr_reader :rules

  # @param names [Array<String>] a folder ends with "/"
  # @param rules [Hash{String, Symbol => String}] a folder, or EXCLUDE: its file's bytes
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

  # @yield [bytes, rel, directory] what do these rules say?
  # @return [Hash{String => Symbol, nil}]
  def verdicts(&ask)
    @paths.each_with_object({}) do |(path, directory), found|
      parent = parent(path)
      found[path] = parent && found.fetch(parent) == :out ? :out : decide(path, directory, &ask)
    end
  end

  def files(verdicts) = verdicts.filter_map { |path, verdict| path if verdict != :out && !@paths[path] }.sort

  # @return [Array<Array(String, String, Boolean)>] each file's rules, with each path that they may be asked for
  def questions
    @paths.flat_map { |path, directory| levels(path).map { |bytes, rel| [bytes, rel, directory] } }
  end

  # What to show where a verdict is wrong.
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

  # The rules that may speak of a path, the deepest first, and its name to each.
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

  # Parents first, so that verdicts finds theirs.
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
