# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"

# What tasks read and wrote without declaring it, of real Rakefiles. The head of each file in test/profile/tasks says
# which files there are, how Rake is called, and what is undeclared: kind, task, path, line and another task that wrote
# the file. What is named `declared` looks like an undeclared dependency, and is none.
class TasksTest < Frugal::TestCase
  EXE = File.join(ROOT, "exe/frugal")
  RAKEFILES = Dir.glob("#{__dir__}/tasks/*.rake")

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  RAKEFILES.each do |file|
    name = File.basename(file, ".rake")
    define_method("test_#{name}") { assert_undeclared(file) }
  end

  def test_there_are_enough_of_both
    assert_operator RAKEFILES.count { |file| undeclared?(file) }, :>=, 12
    assert_operator RAKEFILES.count { |file| !undeclared?(file) }, :>=, 12
  end

  # Rake goes to the folder of the Rakefile.
  def test_from_a_folder_below
    project
    assert_equal ["read out b Rakefile:1"], rows(chdir: mkdir("below/deeper"))
  end

  # Rake stays where it is: names begin there, and both folders are the project's.
  def test_with_a_rakefile_elsewhere
    project(File.join(tree, "tools"))
    write("tools/c")
    %w[a b].each { |name| write("work/#{name}") }
    File.write(path("tools/Rakefile"), 'file("out" => "a") { |t| File.write(t.name, File.read("b") + File.read("../tools/c")) }')
    assert_equal ["read out tools/c tools/Rakefile:1", "read out work/b tools/Rakefile:1"],
                 rows("-f", "../tools/Rakefile", "out", chdir: path("work"))
  end

  def test_a_project_behind_a_symbolic_link
    project(path("real"))
    symlink("real", "link")
    assert_equal ["read out real/b real/Rakefile:1"], rows("-f", path("link/Rakefile"), chdir: path("link"))
  end

  # What was declared until then is in the log.
  def test_a_run_that_is_killed
    project(tree, "File.write('out', File.read('b')); Process.kill(:KILL, $$)")
    assert_equal ["read out b Rakefile:1"], rows
  end

  private

  def project(folder = tree, action = 'File.write("out", File.read("b"))')
    FileUtils.mkdir_p(folder)
    %w[a b].each { |name| File.write(File.join(folder, name), "") }
    File.write(File.join(folder, "Rakefile"), "file('out' => 'a') { #{action} }; task default: 'out'\n")
  end

  def rows(*arguments, chdir: tree)
    command = [RUBY, "-W0", Gem.bin_path("rake", "rake"), *arguments]
    recording = Frugal::Profile::Run.new(command, agent: :task, chdir: chdir, in: File::NULL, err: path("err")).call
    recording.undeclared.map { |row| words(row) }.sort
  end

  def undeclared?(file)
    undeclared = File.basename(file).start_with?("undeclared_")
    assert_equal undeclared, head(file, "undeclared").any?, file
    undeclared
  end

  def head(file, key) = File.foreach(file, chomp: true).filter_map { |line| line[/\A# #{key}: (.*)/, 1] }

  def assert_undeclared(file)
    FileUtils.cp(file, path("Rakefile"))
    build(file)
    recording = Frugal::Profile::Run.new(command(file), agent: :task, chdir: tree, in: File::NULL, **streams(file)).call
    output = File.read(path("err"))
    assert recording.status.success?, output
    expected = head(file, "undeclared").map { |line| line.sub(/ (\d+)/, ' Rakefile:\1') }
    assert_equal expected.sort, recording.undeclared.map { |row| words(row) }.sort, output
  end

  def build(file)
    head(file, "files").flat_map(&:split).each do |word|
      name, text = word.split(":", 2)
      written = write(name.delete_suffix("!"), text.to_s.gsub('\n', "\n").gsub('\s', " "), mtime: Time.now - 60)
      File.chmod(0o755, written) if name.end_with?("!")
    end
    head(file, "link").map(&:split).each { |link, target| symlink(target, link) }
  end

  def command(file)
    before = head(file, "before").flat_map(&:split)
    before = [RUBY, "-I", LIB, EXE, *before.drop(1)] if before.any?
    [*before, RUBY, "-W0", Gem.bin_path("rake", "rake"), *head(file, "rake").flat_map(&:split)]
  end

  def streams(file) = { out: head(file, "out").map { |name| path(name) }.first || File::NULL, err: path("err") }

  def words(row)
    path, site = [row.path, row.site.file].map { |name| name.delete_prefix("#{tree}/") }
    [row.kind, row.task.name, path, "#{site}:#{row.site.line}", row.writer&.name].compact.join(" ")
  end
end
