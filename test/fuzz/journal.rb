# frozen_string_literal: true

# What a fuzzed Rakefile may call. Every user-visible event goes to the journal
# in order; files get times from a logical clock, so that a build has the same
# times however fast it runs.
module Fuzz
  # All fixed times are near it; "now" (plain tasks, real touches) is far later.
  EPOCH = Time.utc(2020).to_i
  # Later than any now: 2040.
  FUTURE = Time.utc(2040).to_i - EPOCH
  # Files built by actions are newer than the starting tree, each by a second.
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

    # The usual action of a file task: write it, at the next tick.
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

    # A real modification time: the kernel's now.
    def now(path) = WRITE.call(path, "now\n")

    def at(tick) = Time.at(EPOCH + tick)

    # What user code sees when it asks a task.
    def look(task)
      log("look", task.name.inspect, task.needed?, stamp(task.timestamp))
    end

    def stamp(time)
      return time.to_s unless time.is_a?(Time)

      tick = time.to_r - EPOCH
      now?(tick) ? "now" : "t#{tick}"
    end

    # Times of the machine's clock differ between two runs; ours do not.
    def now?(tick) = tick.between?(100_000_000, FUTURE - 10_000_000)

    # The result of a block, or its error, as an event.
    def try(label)
      result = yield
      log(label, result.is_a?(Rake::Task) ? "task #{result.name.inspect} #{result.class}" : result.inspect)
    rescue StandardError, ScriptError, SystemStackError => error
      log(label, error.class.name, error.message)
    end
  end
end
