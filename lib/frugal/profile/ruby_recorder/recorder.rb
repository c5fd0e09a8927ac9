# frozen_string_literal: true

# Records the calls of the wrapped methods, from the begin of a call to its event. A fiber is in one of three states,
# the value of its variable KEY: nil in the program's own code; :call in a recorded method of Ruby, whose inner calls
# are parts of it; :own in the recorder.
module Recorder
  KEY = :frugal_recording
  CLOCK = Process.method(:clock_gettime)
  MONOTONIC = Process::CLOCK_MONOTONIC
  PROCESS = Process
  RACTORS = RUBY_ENGINE == "ruby"
  MAIN = (Ractor.current if RACTORS)
  LOCK = Thread::Mutex.new
  # JRuby's method returns the pid in all threads, and each call looks up the name of the host, which may take seconds.
  NATIVE_ID = Thread.method_defined?(:native_thread_id) && RUBY_ENGINE != "jruby"
  WAITING = 1024 # the maximum number of threads whose waits are known
  private_constant :CLOCK, :MONOTONIC, :PROCESS, :RACTORS, :MAIN, :LOCK, :NATIVE_ID, :WAITING

  class << self
    # @return [Integer] the maximum number of frames of a stack
    attr_reader :depth

    # @param folder [String] the folder of the logs
    # @param limit [Integer] bytes
    # @param depth [Integer]
    # @return [void]
    def start(folder, limit, depth)
      @folder = folder
      @limit = limit
      @depth = depth
      @groups = {}.compare_by_identity
      @log = new_log
    end

    # @return [Integer] nanoseconds
    def now = CLOCK.call(MONOTONIC, :nanosecond)

    # @return [Integer, nil] the time; nil if the call must not be recorded: it is a part of another call, it is the
    #   recorder's own, or it is in a Ractor, which cannot use the log
    def enter
      return unless main?

      thread = Thread.current
      return if thread[KEY]

      thread[KEY] = :call
      now
    end

    # @return [Boolean] whether this is the main Ractor
    def main? = !RACTORS || MAIN.equal?(Ractor.current)

    # @return [Boolean] whether a call must not be recorded now, for the same reasons as in `enter`
    def busy? = !main? || !Thread.current[KEY].nil?

    # @return [Boolean] whether the last event of the thread is a wait. It needs no lock: only the thread itself adds
    #   its number, so during a change by another thread the answer can be wrongly false, but not wrongly true
    def waited? = @waiting.key?(thread)

    # Ends a call that `enter` began. The block records the call.
    #
    # @return [void]
    def leave
      thread = Thread.current
      thread[KEY] = :own
      Thread.handle_interrupt(Object => :never) { yield now }
    rescue StandardError, SystemStackError
      @log.header.dropped += 1 # the program does not notice an error in here, but the report counts it
    ensure
      thread[KEY] = nil
    end

    # Records an exception with the block, as `leave` does.
    #
    # @return [void]
    def raised(&block)
      state = Thread.current[KEY]
      return if state == :own

      leave(&block)
    ensure
      Thread.current[KEY] = state unless state == :own
    end

    # Writes an event, but not a wait after a wait of the same thread.
    #
    # @param call [Symbol]
    # @param event [Hash] as in Log#append; `stack` is an Array of Location
    # @return [void]
    def append(call, stack: nil, **event)
      locked do
        @log = new_log unless PROCESS.pid == @pid
        number = thread
        next if call == :wait && !first_wait?(number)

        @waiting.delete(number) unless call == :wait
        definitions = @log.definitions
        stack = stack ? Stacks.number(stack, definitions) : 0
        @log.append(call, stack: stack, group: definitions.string(group), thread: number, **event)
      end
    end

    # @yieldparam log [Log]
    # @return [Object] the value of the block
    def with_log = locked { yield @log }

    # Starts a new log in the child of a fork: the events that the parent has not written do not belong to the child.
    #
    # @return [void]
    def forked = (leave { locked { @log = new_log } } if enter)

    # @return [void]
    def flush = (leave { |time| with_log { |log| log.write(time) if PROCESS.pid == @pid } } if enter)

    # @param name [String] the group of the thread's calls from now on; "" for none
    def group=(name)
      @groups[Thread.current] = name.empty? ? nil : name
    end

    # @return [String] the group of threads that have no group; "" for none
    attr_writer :process_group

    private

    # Runs the block with the lock. If a signal handler cannot get the lock, the call has no details.
    def locked
      LOCK.try_lock || LOCK.lock
      yield
    ensure
      LOCK.unlock if LOCK.owned?
    end

    def group
      @groups[Thread.current] || @process_group
    end

    def thread
      current = Thread.current
      (current.native_thread_id if NATIVE_ID) || current.object_id
    end

    # Reports whether the thread has written something else since its last wait. The table also has threads that have
    # ended, so it is cleared when it is full; then a thread may write two waits in succession.
    def first_wait?(number)
      return false if @waiting.key?(number)

      @waiting.clear if @waiting.size >= WAITING
      @waiting[number] = true
    end

    def new_log
      time = now
      @waiting = {}
      @pid = PROCESS.pid
      Log.new(@folder, @limit, Header.new(@pid, PROCESS.ppid, time, @limit), @pid, time)
    end
  end
end
