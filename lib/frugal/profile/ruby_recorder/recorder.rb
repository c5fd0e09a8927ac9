# frozen_string_literal: true

# What the functions around Ruby's methods tell, from the begin of a call to its event. A fiber is in one of three
# states, the value of its variable KEY: nil, the program's own code; :call, in a method of Ruby's that is recorded,
# whose own calls are parts of it; :own, in the recorder.
module Recorder
  KEY = :frugal_recording
  CLOCK = Process.method(:clock_gettime)
  MONOTONIC = Process::CLOCK_MONOTONIC
  PROCESS = Process
  RACTORS = RUBY_ENGINE == "ruby"
  MAIN = (Ractor.current if RACTORS)
  LOCK = Thread::Mutex.new
  # JRuby's is the number of the process in all threads, and each call looks up the name of the host, which may take
  # seconds.
  NATIVE_ID = Thread.method_defined?(:native_thread_id) && RUBY_ENGINE != "jruby"
  private_constant :CLOCK, :MONOTONIC, :PROCESS, :RACTORS, :MAIN, :LOCK, :NATIVE_ID

  class << self
    # @return [Integer] frames of a stack
    attr_reader :depth

    # @param folder [String] where the logs are
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

    # @return [Integer, nil] the time; nil if the call is not to be recorded: it is a part of another one, it is the
    #   recorder's own, or in a Ractor, which cannot use the log
    def enter
      return if RACTORS && !MAIN.equal?(Ractor.current)

      thread = Thread.current
      return if thread[KEY]

      thread[KEY] = :call
      now
    end

    # Ends what `enter` has begun. The block records.
    #
    # @return [void]
    def leave
      thread = Thread.current
      thread[KEY] = :own
      Thread.handle_interrupt(Object => :never) { yield now }
    rescue StandardError, SystemStackError
      @log.header.dropped += 1 # the program does not see what fails in here, the report does
    ensure
      thread[KEY] = nil
    end

    # Records an exception. The block is as of `leave`.
    #
    # @return [void]
    def raised(&block)
      state = Thread.current[KEY]
      return if state == :own

      leave(&block)
    ensure
      Thread.current[KEY] = state unless state == :own
    end

    # @param call [Symbol]
    # @param event [Hash] as of Log#append; `stack` is an Array of Location
    # @return [void]
    def append(call, stack: nil, **event)
      locked do
        @log = new_log unless PROCESS.pid == @pid
        definitions = @log.definitions
        stack = stack ? Stacks.number(stack, definitions) : 0
        @log.append(call, stack: stack, group: definitions.string(group), thread: thread, **event)
      end
    end

    # @yieldparam log [Log]
    # @return [Object] the value of the block
    def with_log = locked { yield @log }

    # In the child of a fork: what the parent has not written is none of its calls.
    #
    # @return [void]
    def forked = (leave { locked { @log = new_log } } if enter)

    # @return [void]
    def flush = (leave { |time| with_log { |log| log.write(time) if PROCESS.pid == @pid } } if enter)

    # @param name [String] what the thread works on from now on; "" for nothing
    def group=(name)
      @groups[Thread.current] = name.empty? ? nil : name
    end

    # @return [String] what threads without a group work on; "" for nothing
    attr_writer :process_group

    private

    # A handler of a signal may only try to get the lock: if another thread has it, the call has no details.
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

    def new_log
      time = now
      @pid = PROCESS.pid
      Log.new(@folder, @limit, Header.new(@pid, PROCESS.ppid, time, @limit), @pid, time)
    end
  end
end
