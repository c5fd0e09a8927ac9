# frozen_string_literal: true

# Input from anything but a regular file, such as a pipe, a socket or a terminal. Each method that reads is a wait, even
# if Ruby's buffer has all that it needs: the program learns something new from outside.
#
# IO#gets, IO#readline and IO.foreach set `$_` of their caller, which a wrapper cannot do, so they are not recorded.
# Under MRI, a composition (Method#>>) of such a method and another one can do it: `$_` belongs to a frame of Ruby, and
# the composition has none. But a composition does not get `self`, so it can only be a method of an object that is known
# in advance: Kernel#gets and Kernel#readline call ARGF's methods, which are such compositions. ARGF's other methods are
# not recorded, and none of them under JRuby.
module Input
  READS = %w[read readlines readpartial sysread read_nonblock getc getbyte readchar readbyte eof eof?].freeze
  # Some Rubies define them when io/wait is loaded.
  READY = %w[wait wait_readable wait_writable wait_priority].freeze
  ACCEPTS = %w[accept accept_nonblock sysaccept].freeze
  SOCKETS = {
    BasicSocket: %w[recv recvmsg recv_nonblock recvmsg_nonblock read_nonblock],
    Socket: [*ACCEPTS, "connect", "connect_nonblock", "recvfrom", "recvfrom_nonblock"],
    IPSocket: %w[recvfrom], TCPSocket: %w[initialize], TCPServer: ACCEPTS, UDPSocket: %w[recvfrom_nonblock],
    UNIXSocket: %w[recvfrom recv_io], UNIXServer: ACCEPTS
  }.freeze
  # JRuby reports only those methods of sockets that are written in Ruby, after all others exist.
  LAST = :connect_address
  LATER = [LAST, *[READY, SOCKETS.values].flatten.map(&:to_sym)].to_h { |name| [name, true] }.freeze
  FILES = ObjectSpace::WeakMap.new
  ARGUMENTS = ARGF
  ROOT = Object
  STAT, CLOSED, PID = %i[stat closed? pid].map { |name| IO.instance_method(name) }
  private_constant :READS, :READY, :ACCEPTS, :SOCKETS, :LAST, :LATER, :FILES, :ARGUMENTS, :ROOT, :STAT, :CLOSED,
                   :PID

  class << self
    # @return [void]
    def install
      Waits.around(IO, :read, READS)
      Waits.around(IO.singleton_class, :copy, %w[copy_stream])
      IO.prepend(Streams)
      install_loaded
      IO.singleton_class.prepend(Additions)
      install_lines if RUBY_ENGINE == "ruby"
    end

    # Wraps methods of libraries that were loaded after the recorder.
    #
    # @param name [Symbol] a new method of IO or of a subclass
    # @return [void]
    def added(name)
      install_loaded if LATER.key?(name)
    rescue StandardError
      nil # a frozen class
    end

    # @param io [IO]
    # @return [Boolean] whether it is known to be a regular file, which costs no system call
    def file?(io) = FILES[io]

    # @param io [IO]
    # @return [Boolean] whether its reads do not wait
    def regular?(io)
      return true if file?(io)
      return false if CLOSED.bind_call(io) || !STAT.bind_call(io).file?

      FILES[io] = true
    rescue IOError, SystemCallError
      true # the program gets the same error
    end

    # @param io [IO]
    # @return [Boolean] whether its reads are recorded
    def waits?(io) = Recorder.main? && !regular?(io)

    # @param io [IO] that may refer to another file from now on
    # @return [void]
    def reopened(io)
      FILES[io] = false if Recorder.main? && FILES[io]
    end

    # @return [Boolean] whether the stream has a child, for which `close` waits
    def child?(io)
      Recorder.main? && !CLOSED.bind_call(io) && !PID.bind_call(io).nil?
    rescue IOError
      false # the program gets the same error
    end

    private

    def install_loaded
      Waits.around(IO, :poll, READY)
      SOCKETS.each do |name, methods|
        next unless ROOT.const_defined?(name, false) && !ROOT.autoload?(name, false)

        Waits.around(ROOT.const_get(name), :network, methods)
      end
    end

    def install_lines
      note = method(:line).to_proc
      lines = Module.new
      %i[gets readline].each do |name|
        lines.define_method(name, &Ractor.make_shareable(ARGUMENTS.method(name).to_proc >> note))
      end
      ARGUMENTS.class.prepend(lines)
    rescue Ractor::Error
      nil # a Ruby that cannot share such a function: without it, Kernel#gets would fail in a Ractor
    end

    # @return [String, nil] the line
    def line(text)
      return text if Recorder.busy? || Recorder.waited? || (text && file?(ARGUMENTS.file))

      Recorder.leave do |time|
        source = ARGUMENTS.file
        Recorder.append(:wait, time: time) if IO === source && !regular?(source)
      end
      text
    end
  end

  # The hook of IO for new methods.
  module Additions
    private

    def method_added(name)
      super
      Input.added(name)
    end
  end
  private_constant :Additions
end
