# frozen_string_literal: true

# Loads an upstream, with or without frugal. For each change, a fork then changes its surroundings, runs a scenario in a
# folder of its own, and prints the results as a line of JSON.
#
#   ruby afterwards.rb GROUP CHANGE,CHANGE,… [LIB]     # LIB: frugal's folder; changes that take it away come last
require "json"
require "stringio"
require "rbconfig"
require_relative "scenarios"

module Afterwards
  class << self
    def chroot(_) = Dir.chroot(".").then { Dir.chdir("/") && yield }

    def without_our_files(lib)
      remove_all(lib) if lib
      yield
    end

    def without_rights(lib)
      File.chmod(0o700, lib) if lib
      File.chmod(0o777, ".", "lib", "lib/deep")
      Process::Sys.setgid(65_534)
      Process::Sys.setuid(65_534)
      yield
    end

    # Freezes all modules, as the gem refrigerator does.
    def frozen(_)
      ObjectSpace.each_object(Module) do |one|
        one.freeze unless one.equal?(Scenarios.singleton_class) || one.equal?(Scenarios)
      end
      yield
    end

    def in_a_trap_handler(_)
      seen = nil
      trap("USR1") { seen = yield }
      Process.kill("USR1", Process.pid)
      sleep 0.01 until seen
      seen
    end

    # Leaves only the number of descriptors that stock needs for the deepest scenario.
    def few_descriptors(_)
      highest = Dir.children("/proc/self/fd").map(&:to_i).max
      Process.setrlimit(Process::RLIMIT_NOFILE, highest + 5)
      yield
    end

    # FakeFS replaces the constants File, Dir, FileUtils and others.
    def fake_files(_)
      require "fakefs/safe"
      FakeFS.activate!
      FakeFS::FileSystem.clear
      Scenarios.create_files
      yield
    ensure
      FakeFS.deactivate!
    end

    def frugal_among_fake_files(lib)
      fake_files(lib) do
        require SWITCH if lib && !defined?(Frugal::Autorun)
        yield
      end
    end

    private

    def remove_all(folder)
      Dir.children(folder).each do |name|
        path = "#{folder}/#{name}"
        File.directory?(path) && !File.symlink?(path) ? remove_all(path) : File.delete(path)
      end
      Dir.rmdir(folder)
    end
  end
end

group, changes, lib = ARGV
# Prints [change, results]: a list, or the message of an error.
IN_A_FORK = lambda do |change, &prepare|
  Process.wait(fork do
    prepare&.call
    Dir.mkdir(change)
    Dir.chdir(change)
    Scenarios.create_files
    results = Afterwards.send(change, lib) { Scenarios.run(group.to_sym) }
  rescue Exception => e # rubocop:disable Lint/RescueException -- reported
    results = e.full_message(highlight: false)
  ensure
    $stdout.syswrite("#{JSON.generate([change, results])}\n")
    exit!
  end)
end

features, switch = Scenarios::GROUPS.fetch(group.to_sym)
features.each { |feature| require feature }
SWITCH = switch
late, before_frugal = changes.split(",").partition { |change| change != "frugal_among_fake_files" }
prepare = lambda do
  $VERBOSE = nil
  Scenarios.prepare(group.to_sym)
end
before_frugal.each { |change| IN_A_FORK.call(change, &prepare) }
require switch if lib && !defined?(Frugal::Autorun)
prepare.call
late.each(&IN_A_FORK)
