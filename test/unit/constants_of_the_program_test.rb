# frozen_string_literal: true

require_relative "../test_helper"

# A program may have classes with the names that frugal uses: Loader, Start, Cache. Each is another one than ours.
class ConstantsOfTheProgramTest < Frugal::TestCase
  # All names of modules and classes in lib/, except those of libraries that it and the program below require.
  NAMES = Dir.glob("#{LIB}/frugal/**/*.rb").flat_map { |file| File.read(file, encoding: "UTF-8").scan(/^ *(?:module|class) ([A-Z]\w*)/) }.flatten.uniq -
          IO.popen([RUBY, "-rrake", "-rpstore", "-rfind", "-rjson", "-rdigest", "-rzlib", "-e", "puts Object.constants"], &:read).split -
          %w[Frugal FrugalRuntime]
  DEFINE = "%w[#{NAMES.join(" ")}].each { |name| Object.const_set(name, Class.new) }\n".freeze
  USE = <<~'RUBY'
    require "rake"
    require "pstore"
    require "find"
    include Rake::DSL
    500.times { |number| file("out#{number}" => "in") { |task| File.write(task.name, "") } }
    task all: Array.new(500) { |number| "out#{number}" }
    File.write("in", "")
    2.times { Rake::Task.tap { |tasks| tasks.tasks.each(&:reenable) }[:all].invoke }
    3.times { store = PStore.new("store"); store.transaction { store[:count] = store.fetch(:count, 0) + 1 } }
    FileUtils.mkdir_p("a/b/c")
    File.write("a/b/c/x.rb", "")
    puts Find.find("a").to_a, Dir.glob("a/**/*.rb"), Dir.glob("out*").size, PStore.new("store").transaction(true) { |store| store[:count] }
  RUBY
  REQUIRE = %w[frugal frugal/rake frugal/pstore frugal/find frugal/dir frugal/fileutils frugal/file_update_checker
               frugal/store frugal/session frugal/cache frugal/http frugal/entries frugal/cost].freeze

  def test_there_are_many
    assert_operator NAMES.size, :>, 300
    assert_empty %w[Loader Autorun Start Work Dropin Native Replace Session Cache] - NAMES
  end

  def test_a_program_that_requires_frugal
    each_engine do |engine|
      load = REQUIRE.map { |feature| "require #{feature.inspect}\n" }.join
      state = "$stderr.puts Frugal::Dropin.status.select { |status| status.state == :on }.map(&:name).join(' ') if defined?(Frugal)\n"
      stock = program(USE, engine)
      ours = program(DEFINE + load + USE + state, engine)
      assert_equal stock.out, ours.out, ours.err
      assert_equal on(engine), ours.err
    end
  end

  def test_a_program_under_frugal_run
    each_engine do |engine|
      stock = program(USE, engine)
      ours = program(DEFINE + USE, engine, "-r#{LIB}/frugal/autorun.rb")
      assert_equal [stock.out, ""], [ours.out, ours.err]
      used = program("#{DEFINE}#{USE}$stderr.puts Frugal::Dropin.status.select { |status| status.state == :on }.map(&:name).join(' ')", engine,
                     "-r#{LIB}/frugal/autorun.rb")
      assert_equal on(engine), used.err
    end
  end

  private

  # Those that pay with the engine.
  def on(engine) = engine == "c" ? "rake dir find pstore fileutils\n" : "rake pstore\n"

  def each_engine
    [(:c if File.exist?("#{LIB}/frugal/native/#{Frugal::Platform::ABI}/frugal.so")), :pure].compact.each { |engine| yield engine.to_s }
  end

  # Runs the code in a new folder.
  def program(code, engine, *options)
    write((folder = "run#{@runs = @runs.to_i + 1}") + "/main.rb", code)
    run_command(RUBY, *options, "-I", LIB, "main.rb", chdir: path(folder), env: { "FRUGAL_ENGINE" => engine })
  end
end
