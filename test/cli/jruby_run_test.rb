# frozen_string_literal: true

# needs: jruby

require_relative "../test_helper"
require "json"

# `frugal run` and frugal's own commands with JRuby: real Java processes, seven of them.
class JRubyRunTest < Frugal::TestCase
  ROOT = File.expand_path("../..", __dir__)
  JRUBY = "#{ROOT}/bin/jruby"
  FRUGAL = "#{ROOT}/bin/frugal"
  ENVIRONMENT = { "RUBYOPT" => nil, "RUBYLIB" => nil, "GEM_HOME" => nil, "GEM_PATH" => nil, "BUNDLE_GEMFILE" => nil,
                  "LC_ALL" => "C.UTF-8", "FRUGAL_JVM" => "short", "FRUGAL_ENGINE" => nil }.freeze
  FILES = 20

  # Loads upstreams in each way that there is, and prints what a program can see of that.
  PROGRAM = <<~'RUBY'
    module Refined
      refine(String) do
        def dup = "refined"
        def start_with?(*) = true
        def end_with?(*) = false
      end
    end
    using Refined                                   # in this file, and nowhere else
    $callers = []
    $traces = []
    require_relative "middle"                       # requires rake
    load File.join(__dir__, "middle.rb")
    autoload :PStore, "pstore"
    PStore
    "a" =~ /(a)/
    before = [$~, $!, $_]
    require_relative "raiser"
    load "./raiser.rb"
    p [$~, $!, $_] == before
    $LOAD_PATH.unshift("#{__dir__}/lib")
    require "find"                                  # the program's own
    Find.find
    p $callers, $traces
    %i[require load require_relative autoload].each do |name|
      method = Kernel.instance_method(name)
      p method, method.owner, method.arity, method.source_location
    end
    puts $LOADED_FEATURES, $LOAD_PATH
    begin
      require "no/such/file"
    rescue LoadError => e
      p e.message, e.path, e.backtrace
    end
    p Array.new(8) { Thread.new { require "erb" } }.map(&:value).count(true)
    p TOPLEVEL_BINDING.local_variables
    p Dir.glob("**/*.rb"), Dir["{lib,nope}/**/*", base: __dir__], Dir.method(:glob), Dir.private_methods(false)
    states = lambda do
      Frugal::Dropin.status.to_h { |one| [one.name, one.state] }.slice(:rake, :dir, :pstore, :fileutils, :find).inspect
    end
    $stderr.puts states.call if defined?(Frugal)
    Object.__send__(:remove_const, :Find)
    $required = []
    module Kernel
      alias_method :require_before, :require
      define_method(:require) { |name| $required << name and require_before(name) }
    end
    load "#{RbConfig::CONFIG["rubylibdir"]}/find.rb"
    p Find.find(__dir__).to_a
    p PStore.new("a.store").transaction { |store| store[:a] = 1 }
    File.binwrite("b.store", "no store")
    begin
      PStore.new("b.store").transaction(true) { 1 }
    rescue TypeError => e
      p e.message, e.cause
    end
    File.delete("a.store", "b.store")
    $stderr.puts states.call if defined?(Frugal)
    puts $LOADED_FEATURES, $required, Thread.current.keys
  RUBY

  # Uses all descriptors. The libraries are in JRuby's jar, which is open.
  EXHAUSTED = <<~'RUBY'
    files = []
    begin
      loop { files << File.open(File::NULL) }
    rescue Errno::EMFILE
      found = [Dir.glob("a/**/*"), require("find"), Find.find("a/b").to_a]
    end
    files.each(&:close)
    p found
  RUBY

  RAKEFILE = <<~'RUBY'
    sources = FileList["src/*.c"]
    objects = sources.pathmap("out/%n.o")
    directory "out"
    sources.zip(objects) { |source, object| file(object => [source, "out"]) { cp source, object, verbose: false } }
    file("all.bin" => objects) { File.write("all.bin", "x") }
    task default: "all.bin"
  RUBY

  def setup
    super
    skip "started by MRI only" unless RUBY_ENGINE == "ruby"
    ready = Dir.exist?("#{ROOT}/tmp/jruby/lib") && File.exist?("#{ROOT}/lib/frugal/native.jar") && executable("java")
    skip "needs bin/setup --jruby" unless ready
  end

  def test_a_program_cannot_see_how_its_libraries_are_noticed
    write("middle.rb", "$callers << caller\nrequire \"rake\"\n")
    write("raiser.rb", "begin\n  raise \"x\"\nrescue => e\n  $traces << e.backtrace\nend\n")
    write("lib/find.rb", "module Find; def self.find = puts(caller); end\n")
    program = write("program.rb", PROGRAM)
    stock, ours = [[], [FRUGAL, "run", "--"]].map { |with| run_jruby(*with, JRUBY, program) }
    states = %i[waiting on].map { |find| "{:rake=>:on, :dir=>:on, :pstore=>:on, :fileutils=>:on, :find=>:#{find}}\n" }
    assert_equal ["", states.join], [stock.err, ours.err], ours
    # Ruby splits RUBYOPT at white space, so then the folder is passed by RUBYLIB.
    seen = ROOT.match?(/\s/) ? ours.out.lines.reject { |line| line.chomp == LIB }.join : ours.out
    assert_equal stock.out, seen
    refute_includes seen, LIB
  end

  # Frugal's own files cannot be read. Dir lists no directory that it cannot open.
  def test_a_program_without_a_free_descriptor
    write("a/b", "")
    program = write("program.rb", EXHAUSTED)
    result = run_jruby("sh", "-c", 'ulimit -n 128; exec "$@"', "sh", FRUGAL, "run", "--", JRUBY, program)
    assert_equal [%([[], true, ["a/b"]]\n), ""], [result.out, result.err], result
  end

  # The files and the directory `out` of a build with nothing to do: frugal asks once for each.
  def test_rake_asks_once_for_each_file
    skip "needs strace" unless executable("strace")
    FILES.times { |i| write("src/#{i}.c", "", mtime: 10) and write("out/#{i}.o", "", mtime: 20) }
    write("all.bin", "", mtime: 30)
    write("Rakefile", RAKEFILE)
    stock, ours = [[], [FRUGAL, "run", "--"]].map { |with| stats(*with, JRUBY, "-S", "rake") }
    assert_equal [13 * FILES + 3, 2 * FILES + 1], [stock, ours].map { |paths| paths.grep(/\.(?:c|o|bin)\z/).size }
  end

  def test_doctor_and_walk_run_with_jruby
    write("a/b.rb", "")
    write("a/c.txt", "")
    doctor = run_jruby(FRUGAL, "doctor", "--json", env: { "FRUGAL_RUBY" => JRUBY })
    diagnosis = JSON.parse(doctor.out)
    states = diagnosis["drop_ins"].to_h { |one| one.values_at("name", "state") }
    assert_equal %w[on on on on on], states.values_at("rake", "dir", "find", "pstore", "fileutils"), doctor
    assert_equal [nil, nil, ""], [diagnosis["run"], diagnosis["launcher"]["milliseconds"], doctor.err]
    assert_equal "a/b.rb\na/c.txt\n", run_jruby(FRUGAL, "walk", "a", env: { "FRUGAL_RUBY" => JRUBY }).out
    unknown = run_jruby(FRUGAL, "doctor", env: { "FRUGAL_RUBY" => "no-such-ruby" })
    assert_equal [127, "frugal: FRUGAL_RUBY=no-such-ruby: command not found\n"], [unknown.exitstatus, unknown.err]
  end

  private

  def run_jruby(*command, env: {}) = run_command(*command, env: ENVIRONMENT.merge(env), chdir: tree)

  # @return [Array<String>] the paths of all stat calls
  def stats(*command)
    log = path("strace.log")
    result = run_jruby("strace", "-f", "-qq", "-e", "trace=stat,lstat,statx,newfstatat", "-o", log, *command)
    assert result.success?, result
    File.readlines(log).filter_map { |line| line[/ (?:l?stat|statx|newfstatat)\((?:AT_FDCWD, )?"([^"]*)"/, 1] }
  end

  def executable(name) = ENV["PATH"].split(":").any? { |folder| File.executable?("#{folder}/#{name}") }
end
