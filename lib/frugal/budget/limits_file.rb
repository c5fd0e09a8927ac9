# frozen_string_literal: true

require_relative "../error"
require_relative "../readable"

module Frugal
  class Budget
    # A file with limits, to be kept beside the program: a limit on each line, comments after `#`. It is valid YAML.
    #
    #   # What a run of `rake test` may cost
    #   stats: 4100        # two for each file
    #   exceptions: 0
    #
    #   file = LimitsFile.read("budget.yml")
    #   file.limits                     # => { stats: 4100, exceptions: 0 }
    #   file.with(recording.counts)     # the same file with other numbers
    class LimitsFile
      LIMIT = /\A(?<name>\w+)\s*:\s+(?<number>0|[1-9]\d*)\s*(?:\s#.*)?\z/m
      NOTHING = /\A\s*(?:#.*)?\z/m
      BYTES = 64 * 1024 # a larger file is not a budget file, but was named by mistake
      private_constant :LIMIT, :NOTHING, :BYTES

      class << self
        # @param path [String]
        # @return [LimitsFile]
        # @raise [UsageError] for a line that is not a limit; the message begins with `path:line`
        # @raise [SystemCallError] if the file cannot be read
        def read(path)
          text = File.open(path, "rb") { |file| file.read(BYTES + 1) }.to_s
          raise UsageError, "#{path}: is larger than 64 KiB, so it is no budget file" if text.bytesize > BYTES

          new(path, text)
        end

        # @param path [String] of a file that does not exist yet
        # @param command [Array<String>]
        # @return [LimitsFile] without limits
        def fresh(path, command)
          call = Readable.command(["frugal", "budget", "--file", path, "--", *command])
          new(path, <<~TEXT)
            # The most that one run of this command may count. `--update` writes the counts of the next run:
            #   #{call.gsub(/[[:cntrl:]]/) { |character| character.dump[1..-2] }}
            # What has no line here is not limited.
          TEXT
        end
      end

      # @return [String]
      attr_reader :path
      # @return [Hash{Symbol => Integer}]
      attr_reader :limits

      # @param path [String] for messages
      # @param text [String] the content, of any bytes
      # @raise [UsageError]
      def initialize(path, text)
        @path = path
        @lines = text.b.lines
        @limits = {}
        @lines.each.with_index(1) { |line, number| parse(line, number) }
      end

      # @param counts [Hash{Symbol => Integer}] the counts for {LIMITS}
      # @return [LimitsFile] the same lines with these numbers; a file without limits gets all of them
      def with(counts)
        lines = limits.empty? ? [*@lines, *counts.map { |name, number| "#{name}: #{number}\n" }] : replaced(counts)
        LimitsFile.new(path, lines.join)
      end

      # Replaces the file atomically: a reader finds the old limits or the new ones. Its mode is kept, and a link to it
      # stays a link.
      #
      # *Cost*: 9 system calls, one of them fsync.
      #
      # @return [void]
      # @raise [SystemCallError] the file is then unchanged
      def write
        target = File.symlink?(path) ? File.realpath(path) : path
        temporary = "#{target}.#{Process.pid}.tmp"
        File.open(temporary, "wbx") do |file|
          file.chmod(File.stat(target).mode & 0o7777) if File.exist?(target)
          file.write(to_s)
          file.fsync
        end
        File.rename(temporary, target)
        temporary = nil
      ensure
        File.unlink(temporary) if temporary && File.exist?(temporary)
      end

      # @return [String] the content
      def to_s = @lines.join

      private

      def replaced(counts)
        @lines.map { |line| (name = name_in(line)) ? line.sub(/\d+/, counts.fetch(name).to_s) : line }
      end

      def name_in(line) = LIMIT.match(line) { |match| match[:name].to_sym }

      def parse(line, number)
        return if NOTHING.match?(line)

        match = LIMIT.match(line) or wrong(number, "must be a limit such as `stats: 12` (got #{shown(line)})")
        name = match[:name].to_sym
        wrong(number, "unknown limit: #{name} (available: #{LIMITS.join(", ")})") unless LIMITS.include?(name)
        wrong(number, "a second limit for #{name}") if @limits.key?(name)
        @limits[name] = Integer(match[:number], 10)
      end

      def shown(line) = Readable.text(line.rstrip)[0, 60].inspect

      def wrong(number, message) = raise(UsageError, "#{path}:#{number}: #{message}")
    end
  end
end
