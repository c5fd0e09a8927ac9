# frozen_string_literal: true

require "etc"

# Tells a process tree that hangs from one that is slow, such as on a busy machine. It looks at the processes only after
# the seconds that are more than enough on a usual machine, and then takes for a hang
# - that in QUIET seconds, one after the other, all threads of all its processes were asleep, and hardly used a processor. A
#   thread that waits for a processor or for the disk is not asleep.
# - that they have used as many seconds of processor time again, in a loop that does not end.
#
#   hang = Hang.new(pid, 120)
#   sleep 1 until process_ended? || hang.found?
#
# Where /proc does not have the children of a process, each second counts as asleep.
class Hang
  QUIET = 30 # seconds
  LITTLE = 0.05 # seconds of processor time in a second; what polls needs less
  LINUX = File.readable?("/proc/self/task/#{Process.pid}/children")
  TICKS = LINUX ? Etc.sysconf(Etc::SC_CLK_TCK) : 1
  # Fields of /proc/PID/stat after the name.
  STATE = 0
  TIMES = 11..14 # of the process and of its children that have ended
  AWAKE = %w[R D].freeze

  # @return [String] what was seen, for the message of a failure
  attr_reader :reason

  # Polls until the block is true, or the processes hang.
  #
  # @return [Object, nil] the value of the block; nil if they hang
  def self.wait_for(pid, seconds, quiet: QUIET)
    hang = new(pid, seconds, quiet: quiet)
    polls = 0
    until (value = yield)
      sleep 0.005
      return if ((polls += 1) % 200).zero? && hang.found?
    end
    value
  end

  # @param pid [Integer] the root of the tree
  # @param seconds [Integer]
  # @param quiet [Integer] instead of QUIET
  def initialize(pid, seconds, quiet: QUIET)
    @pid = pid
    @seconds = seconds
    @quiet = quiet
    @calls = @asleep = @used = 0
  end

  # To be called each second.
  #
  # @return [Boolean]
  def found?
    @calls += 1
    return false if @calls < @seconds

    tree = LINUX ? descendants(@pid) : []
    before = @used
    used = use(tree)
    @asleep = used - before > LITTLE || awake?(tree) ? 0 : @asleep + 1
    @reason = "all of it has been asleep for #{@quiet} s" if @asleep > @quiet
    @reason ||= "it has used #{@seconds} s of processor time since then" if used > @seconds
    !@reason.nil?
  end

  private

  # @return [Array<Integer>] process ids
  def descendants(pid)
    children = Dir.children("/proc/#{pid}/task").flat_map { |task| read("/proc/#{pid}/task/#{task}/children").split.map(&:to_i) }
    [pid, *children.flat_map { |child| descendants(child) }]
  rescue Errno::ENOENT, Errno::ESRCH
    [] # it has ended
  end

  # The thread that asks does not count.
  def awake?(tree)
    own = LINUX && File.readlink("/proc/thread-self")[/\d+\z/]
    tree.any? do |pid|
      (Dir.children("/proc/#{pid}/task") - [own]).any? { |task| AWAKE.include?(stat("#{pid}/task/#{task}")[STATE]) }
    rescue Errno::ENOENT, Errno::ESRCH
      false
    end
  end

  # @return [Float] processor time since the first look
  def use(tree)
    now = tree.sum { |pid| Array(stat(pid)[TIMES]).sum(&:to_i) }.fdiv(TICKS)
    @used = now - (@at_first ||= now)
  end

  # The name of a program may contain anything; its bracket is the last one.
  def stat(path) = read("/proc/#{path}/stat").rpartition(")").last.split

  def read(file)
    File.binread(file)
  rescue Errno::ENOENT, Errno::ESRCH
    ""
  end
end
