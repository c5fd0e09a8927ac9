# frozen_string_literal: true

require "fileutils"
require "socket"
require "tmpdir"
require_relative "free_port"

module Frugal
  module Bench
    # A Redis server on loopback, on a free port, with a folder of its own.
    #
    #   server = RedisServer.new(aof: true).start
    #   server.url     # => "redis://127.0.0.1:40123/0"
    #   server.kill    # SIGKILL; start starts it again, on the same port and with the same folder
    #   server.stop    # and removes the folder
    class RedisServer
      PROGRAM = %w[redis-server valkey-server].find do |name|
        ENV["PATH"].split(":").any? { |folder| File.executable?(File.join(folder, name)) }
      end
      LIMIT = 20 # seconds for the first answer

      class << self
        def available? = !PROGRAM.nil?
      end

      attr_reader :port, :pid, :folder

      # @param aof [Boolean] whether each write is on the disk before it is answered
      # @param options [Hash] of the server's configuration
      def initialize(aof: false, **options)
        @folder = Dir.mktmpdir("frugal-redis")
        @owner = Process.pid
        @port = FreePort.take
        @options = { bind: "127.0.0.1", port: @port, dir: @folder, save: "", daemonize: "no", logfile: "#{@folder}/log",
                     appendonly: aof ? "yes" : "no", appendfsync: "always", **options }
      end

      def start
        arguments = @options.flat_map { |name, value| ["--#{name.to_s.tr("_", "-")}", value.to_s] }
        @pid = spawn(PROGRAM, *arguments, in: File::NULL, out: File::NULL, err: File::NULL, pgroup: true)
        wait_until_it_answers
        self
      end

      def url = "redis://127.0.0.1:#{@port}/0"

      # @return [String, nil] the first line of the answer
      def ask(*command)
        Socket.tcp("127.0.0.1", @port, connect_timeout: 1) do |socket|
          socket.write("*#{command.size}\r\n", *command.map { |word| "$#{word.to_s.bytesize}\r\n#{word}\r\n" })
          socket.gets&.chomp
        end
      end

      def signal(name) = Process.kill(name, @pid)

      def kill
        return unless @pid

        signal(:KILL)
        Process.wait(@pid)
        @pid = nil
      end

      # Does nothing in a fork.
      def stop
        return unless @owner == Process.pid

        kill
        FileUtils.rm_rf(@folder)
      end

      private

      def wait_until_it_answers
        deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + LIMIT
        until answers?
          if Process.wait(@pid, Process::WNOHANG) || Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
            raise "#{PROGRAM} does not start:\n#{File.read("#{@folder}/log") if File.exist?("#{@folder}/log")}"
          end

          sleep 0.01
        end
      end

      # With a password it answers that, too.
      def answers?
        ask("PING")&.match?(/\A(\+PONG|-NOAUTH)/)
      rescue SystemCallError
        false
      end
    end
  end
end
