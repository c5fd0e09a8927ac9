# frozen_string_literal: true

require_relative "../platform"

module Frugal
  module Profile
    # Passes the signals that frugal gets on to the program that it runs, so that `kill` and Ctrl-C end the program,
    # and frugal can report afterwards.
    #
    #   status = Signals.pass_on do |signals|
    #     pid = Process.spawn("puma")
    #     signals.to(pid)
    #     Process.wait2(pid).last
    #   end
    #
    # A terminal sends Ctrl-C to all processes of its foreground group. The program gets it directly, so frugal does not
    # pass it on. A signal that was ignored when frugal started, as with nohup, stays ignored in both.
    class Signals
      # The signals that end a program, or that servers handle as requests. The Java virtual machine keeps QUIT and USR1
      # for itself.
      NAMES = (%w[INT QUIT TERM HUP USR1 USR2] - (Platform::JRUBY ? %w[QUIT USR1] : [])).freeze
      KEYS = %w[INT QUIT].freeze # the signals that a terminal sends for a key
      private_constant :KEYS

      # @yieldparam signals [Signals]
      # @return [Object] the value of the block
      def self.pass_on
        signals = new
        signals.catch
        yield signals
      ensure
        signals.restore
      end

      def initialize
        @early = []
        @previous = {}
      end

      # @return [void]
      def catch
        NAMES.each do |name|
          @previous[name] = trap(name) { handle(name) }
          trap(name, "IGNORE") if @previous[name] == "IGNORE"
        end
      end

      # Sets the program that gets the signals. Signals that came before it was started are sent now, since the terminal
      # could not send them to it.
      #
      # @param pid [Integer]
      # @return [void]
      def to(pid)
        @pid = pid
        send_to_program(@early.shift) until @early.empty?
      end

      # @return [void]
      def restore
        @previous.each { |name, command| trap(name, command || "SYSTEM_DEFAULT") }
      end

      private

      def handle(name)
        return @early << name unless @pid

        send_to_program(name) unless KEYS.include?(name) && in_foreground?
      end

      def send_to_program(name)
        Process.kill(name, @pid)
      rescue Errno::ESRCH, Errno::EPERM
        nil # the program has ended, or belongs to another user
      end

      # Reports whether the terminal sends its signals to the program, too. Without a terminal, the number of its
      # foreground group is -1.
      def in_foreground?
        group, foreground = File.read("/proc/self/stat").rpartition(")").last.split.values_at(2, 5).map(&:to_i)
        group == foreground && Process.getpgid(@pid) == group
      rescue SystemCallError
        false
      end
    end
  end
end
