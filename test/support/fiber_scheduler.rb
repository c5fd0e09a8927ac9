# frozen_string_literal: true

# A scheduler of fibers for tests, which waits by IO.select.
#
#   Thread.new { Fiber.set_scheduler(FiberScheduler.new); Fiber.schedule { … } }.join
class FiberScheduler
  def initialize
    @readable = {}
    @writable = {}
    @sleeping = {}
    @blocked = {}
    @ready = []
    @lock = Thread::Mutex.new
    @urgent = IO.pipe
  end

  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)

  # @return [Integer, false]
  def io_wait(io, events, timeout)
    waits = [[@readable, IO::READABLE], [@writable, IO::WRITABLE]].filter_map { |wait, event| wait if events.anybits?(event) }
    waits.each { |wait| wait[io] = Fiber.current }
    @sleeping[Fiber.current] = now + timeout if timeout
    Fiber.yield || false
  ensure
    waits&.each { |wait| wait.delete(io) }
    @sleeping.delete(Fiber.current)
  end

  def kernel_sleep(seconds = nil)
    @sleeping[Fiber.current] = now + seconds if seconds
    Fiber.yield
    true
  end

  def block(_blocker, timeout = nil)
    @sleeping[Fiber.current] = now + timeout if timeout
    @blocked[Fiber.current] = true
    Fiber.yield
  ensure
    @blocked.delete(Fiber.current)
    @sleeping.delete(Fiber.current)
  end

  # Called by any thread.
  def unblock(_blocker, fiber)
    @lock.synchronize { @ready << fiber }
    @urgent[1].write_nonblock(".")
  end

  def close = run

  def run
    step until [@readable, @writable, @sleeping, @blocked].all?(&:empty?) && @lock.synchronize { @ready.empty? }
  end

  private

  def step
    pause = @sleeping.values.min&.then { |time| [time - now, 0].max }
    readable, writable = IO.select([@urgent[0], *@readable.keys], @writable.keys, [], pause)
    @urgent[0].read_nonblock(1 << 10, exception: false) if readable&.delete(@urgent[0])
    readable&.each { |io| @readable[io]&.resume(IO::READABLE) }
    writable&.each { |io| @writable[io]&.resume(IO::WRITABLE) }
    @lock.synchronize { @ready.slice!(0..) }.each { |fiber| fiber.resume(true) if fiber.alive? }
    @sleeping.select { |_, time| time <= now }.each_key { |fiber| @sleeping.delete(fiber) && fiber.alive? && fiber.resume }
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
