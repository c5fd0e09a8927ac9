# frozen_string_literal: true

require "fileutils"
require "tmpdir"

# Creates a directory before each test and removes it afterwards.
#
#   source = write("src/a.c", "int a;", mtime: Time.at(1))
#   path("src/a.o")  # => "/tmp/frugal-…/src/a.o", which need not exist
module TempTree
  # @return [String] the real, absolute path of this test's directory
  attr_reader :tree

  def before_setup
    @tree = File.realpath(Dir.mktmpdir("frugal-"))
    super
  end

  # @return [String] the absolute path of a name in the tree
  def path(name) = File.join(tree, name)

  # Writes a file and creates the directories above it.
  #
  # @param mtime [Time, nil] its modification time; nil: now
  # @return [String] its absolute path
  def write(name, content = "", mtime: nil)
    file = path(name)
    FileUtils.mkdir_p(File.dirname(file))
    File.binwrite(file, content)
    File.utime(mtime, mtime, file) if mtime
    file
  end

  # @return [String] the absolute path of the new directory
  def mkdir(name) = path(name).tap { |dir| FileUtils.mkdir_p(dir) }

  # @return [String] the absolute path of a new symbolic link to `target`
  def symlink(target, name) = path(name).tap { |link| File.symlink(target, link) }

  # The clock from which the kernel takes file times. It changes only with each tick of the kernel.
  TICKS = Process.const_defined?(:CLOCK_REALTIME_COARSE) ? Process::CLOCK_REALTIME_COARSE : Process::CLOCK_REALTIME

  # Waits until a TreeSnapshot no longer lists the present files again because of their age. Uses
  # the clock of the kernel, because its ticks are late if the machine is busy.
  def settle
    start = Process.clock_gettime(Process::CLOCK_REALTIME)
    sleep 0.01 until Process.clock_gettime(TICKS) > start + 0.021
  end

  def after_teardown
    super
    begin
      FileUtils.remove_entry(@tree)
    rescue Errno::ENOENT # the collector has closed a database meanwhile, which removed its files
      retry if File.exist?(@tree)
    end
  end
end
