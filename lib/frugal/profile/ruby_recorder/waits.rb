# frozen_string_literal: true

# Records waits: calls during which the world outside of the thread can change something, or that bring news from it.
# A wait has no path, no stack and no duration, since only its place between the other events of the thread matters; it
# is recorded when the call has ended, and if the thread has recorded something else since its last wait.
#
# A wait is not a part of another call, and has none: signal handlers of the program run during it, whose calls are
# recorded. Not recorded are: Mutex#lock and Monitor, which wait for other threads; writes to a pipe that is full; waits
# in C or Java (OpenSSL, drivers of databases) that call no method of Ruby; Ractors. Input is another file.
module Waits
  ALWAYS = { Kernel => %w[sleep], Kernel.singleton_class => %w[sleep], Thread::Mutex => %w[sleep],
             Thread::ConditionVariable => %w[wait], Thread => %w[value], Thread.singleton_class => %w[stop] }.freeze
  POLLS = { Kernel => %w[select], Kernel.singleton_class => %w[select], IO.singleton_class => %w[select],
            Thread => %w[join] }.freeze
  QUEUES = { Thread::Queue => %w[pop shift deq], Thread::SizedQueue => %w[pop shift deq push enq <<] }.freeze
  CHILDREN = { Process.singleton_class => %w[wait wait2 waitpid waitpid2 waitall],
               Process::Status.singleton_class => %w[wait] }.freeze
  TABLES = { always: ALWAYS, poll: POLLS, queue: QUEUES, child: CHILDREN }.freeze
  BLOCKED = %i[wait_readable wait_writable].freeze
  LOST = Object.new.freeze # in place of the result of a method that did not return
  private_constant :ALWAYS, :POLLS, :QUEUES, :CHILDREN, :TABLES, :BLOCKED

  class << self
    # @return [void]
    def install
      TABLES.each { |rule, owners| owners.each { |owner, names| around(owner, rule, names) } }
      Input.install
    end

    # Wraps the methods that this Ruby has, and that are not wrapped yet.
    #
    # @param rule [Symbol] the method of this module that reports whether a call has waited
    # @return [void]
    def around(owner, rule, names)
      extension = extension(owner)
      names.each do |name|
        hidden = owner.private_method_defined?(name)
        next unless hidden || owner.method_defined?(name)
        next if extension.method_defined?(name, false) || extension.private_method_defined?(name, false)

        Wrappers.define(extension, owner, name, source(name, rule), __FILE__)
        extension.__send__(:private, name) if hidden
      end
    end

    # Records the end of a call, unless it has not waited.
    #
    # @param result [Object] the result of the call, or LOST
    # @return [void]
    def finish(rule, receiver, args, result, error)
      return if Recorder.busy?

      lost = LOST.equal?(result)
      return if !lost && (Recorder.waited? || (rule == :read && Input.file?(receiver)))

      Recorder.leave do |time|
        Exceptions.trim(error) if lost && error
        waited = lost ? public_send(rule, receiver, args, nil, error) : public_send(rule, receiver, args, result, nil)
        Recorder.append(:wait, time: time) if waited
      end
    end

    # Records a wait that has ended.
    #
    # @return [void]
    def note
      Recorder.leave { |time| Recorder.append(:wait, time: time) } unless Recorder.busy? || Recorder.waited?
    end

    def always(_receiver, _args, _result, _error) = true

    def never(_receiver, _args, _result, _error) = false

    # A call without a result and with a timeout of 0 has not waited.
    def poll(_receiver, args, result, error)
      return true if result || error

      timeout = Hash === args.last ? args.last[:timeout] : args.last
      !(Numeric === timeout && timeout.zero?)
    end

    # Raises ThreadError if it would have to wait and must not.
    def queue(receiver, args, result, error) = !(ThreadError === error) && poll(receiver, args, result, error)

    # Has no result with WNOHANG only, and raises ECHILD if there is no child.
    def child(_receiver, _args, result, error)
      return !(Errno::ECHILD === error) if error

      !result.nil? && result != []
    end

    # A call of a method such as `accept_nonblock` that would block has not waited.
    def network(_receiver, _args, result, error)
      !(IO::WaitReadable === error || IO::WaitWritable === error || (Symbol === result && BLOCKED.include?(result)))
    end

    # The same for a method that reads; a read of a regular file is no wait.
    def read(receiver, args, result, error) = network(receiver, args, result, error) && !Input.regular?(receiver)

    # The same for a method that reads for a block; without one it returns an Enumerator.
    def lines(receiver, args, result, error) = !(Enumerator === result) && read(receiver, args, result, error)

    # The same for IO.copy_stream.
    def copy(_receiver, args, _result, _error) = IO === args.first && !Input.regular?(args.first)

    private

    def extension(owner)
      (@extensions ||= {}.compare_by_identity)[owner] ||= Wrappers.prepended(owner)
    end

    # The exception is taken from `$!` in `ensure`, as in Wrappers.
    def source(name, rule)
      <<~RUBY
        ruby2_keywords def #{name}(*args, &block)
          #{Wrappers.stock(name)}
          result = Waits::LOST
          begin
            result = super(*args, &block)
          ensure
            Waits.finish(:#{rule}, self, args, result, $!)
          end
        end
      RUBY
    end
  end
end
