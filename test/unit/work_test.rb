# frozen_string_literal: true

require_relative "../test_helper"

# Under `frugal run`, a drop-in is installed when upstream is used as much as a process does that gains.
class WorkTest < Frugal::TestCase
  AUTORUN = "-r#{LIB}/frugal/autorun.rb"
  ENVIRONMENT = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_VERBOSE" => nil }.freeze
  REPLACED = "print [FileUtils, Rake::TaskManager, PStore].map { |one| one.private_instance_methods.grep(/frugal_stock/).any? }"
  USES = {
    # Rake's drop-in comes with the others.
    "319.times { |i| file i.to_s }" => [false, false, false], "320.times { |i| file i.to_s }" => [true, true, true],
    "512.times { |i| task i.to_s }" => [false, false, false], "FileList.new.include((1..600).map(&:to_s)).to_a" => [true, true, true],
    "FileList['a', 'b'].to_a" => [false, false, false], "FileList['a', ['*.c']]" => [true, true, true],
    "require 'rake/clean'; CLOBBER.include('pkg')" => [false, false, false], "require 'rake/clean'; CLEAN.include('*.o')" => [true, true, true],
    "46.times { |i| task i.to_s => (i + 1..45).map(&:to_s) }; 22.times { Rake::Task['0'].all_prerequisite_tasks }" => [true, true, true],
    "store = PStore.new('a'); store.transaction {}" => [false, false, false],
    "store = PStore.new('a'); 2.times { store.transaction {} }" => [false, false, true],
    "15.times { |i| FileUtils.mkdir_p('d') }" => [false, false, false], "16.times { |i| mkdir_p('d', verbose: false) }" => [true, false, false],
    "FileUtils.mkdir_p('a/b'); FileUtils.rm_rf('a')" => [true, false, false], "FileUtils.rm_rf('none')" => [false, false, false],
    "999.times { |i| 'a.c'.ext('.o') }" => [false, false, false], "1000.times { |i| 'a.c'.ext('.o') }" => [true, true, true],
    "1000.times { |i| 'a.c'.pathmap('%X.o') }" => [true, true, true], "Frugal.name" => [true, true, true]
  }.freeze

  def setup
    super
    skip "only MRI counts" unless RUBY_ENGINE == "ruby"
  end

  def test_what_shows_work
    USES.each do |use, replaced|
      result = frugal("require 'rake'; require 'pstore'; extend Rake::DSL; Dir.chdir(#{tree.dump}); #{use}; #{REPLACED}")
      assert_equal [replaced.inspect, ""], [result.out, result.err], use
      FileUtils.rm_rf(Dir.glob("#{tree}/*"))
    end
  end

  # Nothing of upstream's is changed before.
  def test_methods_are_upstreams
    script = <<~'RUBY'
      require "rake"; require "pstore"; require "find"
      [FileUtils, FileUtils.singleton_class, Rake::TaskManager, Rake::FileTask.singleton_class, PStore].each do |owner|
        names = owner.instance_methods(false) + owner.private_instance_methods(false)
        p names.sort.map { |name| owner.instance_method(name).then { |one| [one.owner, one.source_location, one.parameters] } }
      end
      p Rake::Task.ancestors
    RUBY
    stock = run_command(RUBY, "-e", script, env: ENVIRONMENT)
    ours = frugal(script)
    assert_equal [stock.out, stock.err], [ours.out, ours.err]
  end

  # The drop-in takes over while stock walks the tasks: each source is a file task, too.
  def test_rake_in_the_middle_of_a_build
    [300, 600].each do |count|
      outcomes = [[], [AUTORUN]].map do |options|
        folder = mkdir("#{options.size} #{count}")
        count.times { |i| write("#{options.size} #{count}/#{i}.c", i.to_s) }
        write("#{options.size} #{count}/Rakefile", <<~RUBY)
          #{count}.times { |i| file("\#{i}.o" => "\#{i}.c") { |one| puts one; File.write(one.name, one.sources) } }
          task default: (0...#{count}).map { |i| "\#{i}.o" }
        RUBY
        builds = Array.new(3) do |round|
          File.utime(Time.now + 9, Time.now + 9, "#{folder}/7.c") if round == 1
          result = run_command(RUBY, *options, "-S", "rake", "--trace", chdir: folder, env: ENVIRONMENT)
          [result.out, result.err, result.exitstatus]
        end
        [builds, Dir.children(folder).sort]
      end
      assert_equal outcomes.first, outcomes.last
    end
  end

  # A module that the program prepends meanwhile is seen, and the drop-in stands aside.
  def test_what_the_program_has_changed_meanwhile
    script = <<~'RUBY'
      require "pstore"
      PStore.prepend(Module.new { def transaction(*) = super })
      store = PStore.new(ARGV[0])
      4.times { |i| store.transaction { store[:a] = i } }
      p store.transaction(true) { store[:a] }, Frugal::Dropin.status.find { |one| one.name == :pstore }.state
    RUBY
    result = run_command(RUBY, "-w", AUTORUN, "-e", script, path("store"), env: ENVIRONMENT)
    assert_equal ["3\n:aside\n", ""], [result.out, result.err]
  end

  def test_coverage_and_a_report_let_nothing_wait
    script = "require 'coverage'; Coverage.start; require 'rake'; require 'pstore'; #{REPLACED}"
    assert_equal "[true, true, true]", frugal(script).out
    verbose = run_command(RUBY, AUTORUN, "-e", "require 'rake'; require 'pstore'; #{REPLACED}", env: { **ENVIRONMENT, "FRUGAL_VERBOSE" => "1" })
    assert_equal "[true, true, true]", verbose.out
  end

  private

  def frugal(script) = run_command(RUBY, "-w", AUTORUN, "-e", script, env: ENVIRONMENT)
end
