# frozen_string_literal: true

require "fileutils"
require "tmpdir"

# A directory of the test's own, made before it, removed after it.
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

  # Writes a file, and the directories above it.
  #
  # @param mtime [Time, nil] its modification time, where that matters
  # @return [String] its absolute path
  def write(name, content = "", mtime: nil)
    file = path(name)
    FileUtils.mkdir_p(File.dirname(file))
    File.binwrite(file, content)
    File.utime(mtime, mtime, file) if mtime
    file
  end

  # @return [String] the absolute path of the directory made
  def mkdir(name) = path(name).tap { |dir| FileUtils.mkdir_p(dir) }

  # @return [String] the absolute path of a symbolic link to +target+
  def symlink(target, name) = path(name).tap { |link| File.symlink(target, link) }

  # What the kernel takes times from: it stands still between its ticks.
  TICKS = Process.const_defined?(:CLOCK_REALTIME_COARSE) ? Process::CLOCK_REALTIME_COARSE : Process::CLOCK_REALTIME

  # Waits until all that is there is older than what makes a TreeSnapshot look
  # again, by that clock, which comes late where the machine is busy.
  def settle
    planted = Process.clock_gettime(Process::CLOCK_REALTIME)
    sleep 0.01 until Process.clock_gettime(TICKS) > planted + 0.021
  end

  def after_teardown
    super
    FileUtils.remove_entry(@tree)
  end
end
