# frozen_string_literal: true

# The methods that a generated Rakefile may call. The journal records each event that
# the user sees, in order. Files get their times from a logical clock, so that a build
# has the same times at any speed.
module Fuzz
  # All fixed times are near it. The current time, which tasks without a file have, is far later.
  EPOCH = Time.utc(2020).to_i
  # Later than the current time: 2040.
  FUTURE = Time.utc(2040).to_i - EPOCH
  # Files that actions build are newer than the initial tree, each by a second.
  BUILT = 1_000_000

  @journal = []
  @clock = 0
  @lock = Thread::Mutex.new
  UTIME = File.method(:utime)
  WRITE = IO.method(:binwrite)

  class << self
    attr_reader :journal

    def start
      @journal = []
      @clock = 0
    end

    def log(*words)
      @journal << words.map { |word| word.is_a?(String) ? word : word.inspect }.join(" ")
      nil
    end

    def act(task, args = nil)
      log("act", task.name.inspect, args.nil? ? "" : "#{args.to_h.inspect} #{args.extras.inspect}")
    end

    # The usual action of a file task: writes the file, at the next tick.
    def build(task, args = nil)
      act(task, args)
      write(task.name) unless Rake::FileUtilsExt.nowrite_flag == true
    end

    def write(path, tick = nil)
      number = @lock.synchronize { @clock += 1 }
      WRITE.call(path, "#{path.b} ##{number}\n")
      touch(path, tick || BUILT + number)
    end

    def touch(path, tick)
      time = at(tick)
      UTIME.call(time, time, path)
    end

    # Writes a file that keeps the time of the kernel's clock.
    def now(path) = WRITE.call(path, "now\n")

    def at(tick) = Time.at(EPOCH + tick)

    # Records what user code sees of a task.
    def look(task)
      log("look", task.name.inspect, task.needed?, stamp(task.timestamp))
    end

    def stamp(time)
      return time.to_s unless time.is_a?(Time)

      tick = time.to_r - EPOCH
      now?(tick) ? "now" : "t#{tick}"
    end

    # Whether a time comes from the machine's clock, and so differs between two runs.
    def now?(tick) = tick.between?(100_000_000, FUTURE - 10_000_000)

    # Records the result of a block, or its error.
    def try(label)
      result = yield
      log(label, result.is_a?(Rake::Task) ? "task #{result.name.inspect} #{result.class}" : result.inspect)
    rescue StandardError, ScriptError, SystemStackError => e
      log(label, e.class.name, e.message)
    end
  end
end
