# frozen_string_literal: true

require_relative "../test_helper"

# Programs under `frugal run` that have a constant Frugal of their own: it is theirs, whatever it is, and nothing is
# printed. A program without one finds frugal's.
class OwnConstantTest < Frugal::TestCase
  NO_ENV = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_VERBOSE" => nil }.freeze
  WORK = <<~'RUBY'
    %w[find fileutils rake pstore].each { |library| require library }
    FileUtils.mkdir_p("a/b")
    p Dir.glob("**/*").sort, Find.find("a").to_a, Rake::FileList["*"].to_a
    PStore.new("store").transaction { |store| store["a"] = 1 }
    p PStore.new("store").transaction(true) { |store| store["a"] }
    FileUtils.rm("store")
  RUBY
  LIGHT = %(require "find"; p Find.find(".").count > 0, Dir.glob("**/*").size)
  DEFINITIONS = ["class Frugal\nend", "class ::Frugal < Struct.new(:a)\nend", "module Frugal\n  OWN = 1\nend", "Frugal = 1",
                 "Frugal = Class.new", "class Frugal; class Error < StandardError; end; end", "Frugal = nil"].freeze

  def test_a_program_that_defines_it_before_or_after_it_loads_libraries
    DEFINITIONS.each_with_index do |definition, number|
      { before: "#{definition}\n#{WORK}", after: "#{WORK}\n#{definition}\n#{WORK}" }.each do |order, code|
        write("#{order} #{number}.rb", "#{code}\np Frugal, (Frugal.constants.sort if Module === Frugal)\n")
        assert_the_same("#{order} #{number}.rb")
      end
    end
  end

  def test_a_file_that_the_program_requires
    DEFINITIONS.each_with_index do |definition, number|
      write("lib/own.rb", definition)
      write("#{number}.rb", "require 'own'\n#{LIGHT}\np Frugal\n")
      assert_the_same("-Ilib", "#{number}.rb")
      assert_the_same("-Ilib", "-rown", "-e", "#{LIGHT}; p Frugal")
    end
  end

  def test_a_definition_on_the_command_line
    DEFINITIONS.each do |definition|
      %w[c pure].each { |engine| assert_the_same("-e", "#{definition}\n#{LIGHT}\np Frugal", env: { "FRUGAL_ENGINE" => engine }) }
    end
  end

  def test_one_line_if_asked
    write("own.rb", "class Frugal\nend\nrequire 'rake'\nrequire 'find'\n")
    line = "frugal: stands aside: the program has a Frugal of its own\n"
    assert_equal line, frugal("own.rb", env: { "FRUGAL_VERBOSE" => "1" }).err
    write("first.rb", "class Frugal\nend\n")
    early = run_command(RUBY, "-r#{path("first.rb")}", "-r#{Subprocess::LIB}/frugal/autorun.rb", "-e", "p Frugal.class; require 'find'",
                        env: { **NO_ENV, "FRUGAL_VERBOSE" => "1" })
    assert_equal ["Class\n", line], [early.out, early.err]
  end

  def test_a_program_without_one_finds_that_of_frugal
    show = 'p defined?(Frugal); require "rake"; p Frugal::Dropin.status.first.state; require "frugal/find"; p Frugal.mtime("x")'
    assert_equal ["\"expression\"\n:on\nnil\n".sub("expression", "constant"), ""], frugal("-w", "-e", show).then { |result| [result.out, result.err] }
    version = "require #{"#{Subprocess::LIB}/frugal/version".dump}; p Frugal::VERSION; require 'rake'; require 'frugal'"
    assert_equal "\"#{Frugal::VERSION}\"\n:on\n", frugal("-e", "#{version}; p Frugal::Dropin.status.first.state").out
    concealed = frugal("-e", "p Object.constants.grep(/frugal/i); Frugal; p Object.constants.grep(/frugal/i)")
    assert_equal "[:Frugal]\n[:Frugal]\n", concealed.out, concealed
  end

  private

  def frugal(*argv, env: {}) = run_command("#{ROOT}/bin/frugal", "run", "--", RUBY, *argv, env: NO_ENV.merge(env), chdir: tree)

  def assert_the_same(*argv, env: {})
    stock = run_command(RUBY, "-w", *argv, env: NO_ENV, chdir: tree)
    assert stock.success?, stock
    result = frugal("-w", *argv, env: env)
    assert_equal [stock.out, stock.err, 0], [result.out, result.err, result.exitstatus], argv.join(" ")
  end
end
