# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/recorded_calls"

# The recorder against strace, on what frugal's own C code does: each of its system calls on files is recorded, also
# those by syscall(2). Otherwise `frugal compare` and `frugal budget` would show too few for frugal.
class NativeCallsTest < Frugal::TestCase
  LAUNCHER = ["/bin/sh", File.join(ROOT, "libexec/frugal-run"), "run", "--"].freeze

  # The program, and a call that shows that the C code has run.
  PROGRAMS = {
    find: ['require "find"; 2.times { Find.find("tree", "wide") {} }', :inotify_add_watch],
    find_and_chdir: ['require "find"; Find.find("tree", "wide") { |path| Dir.chdir("tree") {} if path =~ /5+$/ }', :getcwd],
    dir: ["Dir.glob('tree/**/*'); Dir['tree/{a,b}/*']; Dir.glob('**/', base: 'tree/b')", :getdents64],
    fileutils: ['require "fileutils"; FileUtils.cp_r("tree", "copy"); FileUtils.mkdir_p("copy/x/y/z"); ' \
                "FileUtils.rm_rf(%w[copy none])", :copy_file_range],
    pstore: ['require "pstore"; s = PStore.new("store"); 3.times { |i| s.transaction { s[:a] = i.to_s * 9000 } }; ' \
             "s.transaction(true) { s[:a] }", :statx],
    rake: ['require "rake"; include Rake::DSL; FileList["tree/a/file*"].each { |f| file("#{f}.o" => f) { cp f, "#{f}.o", verbose: false }; ' \
           'task all: "#{f}.o" }; 2.times { Rake::Task[:all].all_prerequisite_tasks.each(&:reenable); Rake::Task[:all].invoke }',
           :getdents64],
    walk: ['Frugal.walk("tree") {}; Frugal.walk("tree", gitignore: true) {}; Frugal.count("tree"); ' \
           'Frugal.entries("tree"); Frugal.mtimes(%w[tree none tree/a/file1]); Frugal.read("tree/a/file1")', :getdents64],
    store: ['require "frugal/store"; s = Frugal::Store.new("store", durability: :durable); ' \
            "3.times { |i| s.transaction { s[:a] = i.to_s * 9000 } }; s.transaction(true) { s[:a] }", :statx]
  }.freeze

  # PStore is a gem from Ruby 4.0 on.
  LIBRARIES = [LIB, *%w[rake pstore].flat_map { |name| Gem::Specification.find_all_by_name(name).first&.full_require_paths.to_a }].freeze

  def setup
    skip "strace is not installed" unless Cost::Strace.available?
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    skip "the C extension is off" unless Frugal::Native.engine_name == :c

    %w[a b/c].each { |directory| 5.times { |index| write("tree/#{directory}/file#{index}", "content") } }
    write("tree/.gitignore", "*1\n")
    symlink("a", "tree/link")
  end

  PROGRAMS.each do |name, (program, call)|
    define_method("test_#{name}") do
      wide if name.start_with?("find")
      seen = RecordedCalls.new(File.realpath(tree), "$:.concat(#{LIBRARIES}); require 'frugal'; #{program}", launcher: LAUNCHER)
      assert seen.recording.status.success?, seen.output
      traced, recorded = seen.differences
      assert_equal kinds(traced), kinds(recorded), [traced, recorded].inspect
      assert_operator seen.recording.processes.sum { |process| process.counts.fetch(call, 0) }, :>, 0, "#{call} by #{name}"
    end
  end

  private

  # strace names a file that was opened and renamed by its new name, the recorder by the old one.
  def kinds(calls) = calls.map { |kind, _, error| [kind, error] }.sort_by(&:to_s)

  # Find watches directories of more than 8,192 names.
  def wide
    mkdir("wide")
    9_000.times { |index| File.write(path("wide/#{index}"), "") }
  end
end
