# frozen_string_literal: true

# Input from anything but a regular file, such as a pipe, a socket or a terminal. Each method that reads is a wait, even
# if Ruby's buffer has all that it needs: the program learns something new from outside.
#
# Methods that set `$_` of their caller (gets, readline, IO.foreach), which a wrapper cannot do, are not recorded.
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
  ROOT = Object
  STAT, CLOSED, PID = %i[stat closed? pid].map { |name| IO.instance_method(name) }
  private_constant :READS, :READY, :ACCEPTS, :SOCKETS, :LAST, :LATER, :FILES, :ROOT, :STAT, :CLOSED,
                   :PID

  class << self
    # @return [void]
    def install
      Waits.around(IO, :read, READS)
      Waits.around(IO.singleton_class, :copy, %w[copy_stream])
      IO.prepend(Streams)
      install_loaded
      IO.singleton_class.prepend(Additions)
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
