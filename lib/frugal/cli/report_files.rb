# frozen_string_literal: true

require_relative "../error"
require_relative "complaint"

module Frugal
  module CLI
    # The files for the reports of a program. All of them are opened for writing before the program runs, because a run
    # can take hours.
    #
    #   ReportFiles.open(json: "profile.json") { |files| files.write(:json, "{}") }
    class ReportFiles
      # One file. A regular file is closed while the program runs, and opened again by its name, because the program may
      # replace the file or its folder. A pipe stays open, because its reader would otherwise see its end.
      class Target
        FLAGS = File::WRONLY | File::CREAT | File::BINARY
        private_constant :FLAGS

        # @param path [String]
        # @raise [SystemCallError] if the file cannot be opened for writing
        def initialize(path)
          @path = path
          @created = !File.exist?(path)
          @io = File.open(path, FLAGS)
          @io.sync = true
          stat = @io.stat
          @identity = [stat.dev, stat.ino] if stat.file?
          @io.close if stat.file?
        end

        # @return [String]
        attr_reader :path
        # @return [Array(Integer, Integer), nil] equal for two names of one file; nil for a device or a pipe
        attr_reader :identity

        # @param text [String]
        # @return [void]
        def write(text)
          @created = false
          @identity ? File.binwrite(@path, text) : @io.write(text)
        end

        # Closes the file, and removes it if it was created but not written.
        #
        # @return [void]
        def close
          @io.close
          File.unlink(@path) if @created && File.file?(@path)
        rescue SystemCallError
          nil # the program has removed the file, or the reader of the pipe has ended
        end
      end
      private_constant :Target

      # @param paths [Hash{Symbol => String}] by the name of their option
      # @yieldparam files [ReportFiles]
      # @return [Object] the value of the block
      # @raise [UsageError] for a file that cannot be written
      def self.open(paths)
        files = new
        paths.each { |option, path| files.try(option, path) }
        yield files
      ensure
        files.close
      end

      def initialize
        @targets = {}
        @failed = false
      end

      # @param option [Symbol]
      # @param path [String]
      # @return [void]
      # @raise [UsageError]
      def try(option, path)
        raise UsageError, "--#{option}: standard output is the command's: name a file (got -)" if path == "-"

        @targets[option] = target = Target.new(path)
        first, = @targets.find { |_, other| target.identity && other.identity == target.identity }
        raise UsageError, "--#{first} and --#{option} name the same file: #{path}" unless first.nil? || first == option
      rescue SystemCallError => e
        raise UsageError, "--#{option}: #{path}: #{Complaint.reason(e)}"
      end

      # @return [Array<Symbol>] the options
      def names = @targets.keys

      # Writes a report. Prints an error message if the file can no longer be written.
      #
      # @param option [Symbol]
      # @param text [String]
      # @return [void]
      def write(option, text)
        target = @targets.fetch(option)
        target.write(text)
      rescue SystemCallError => e
        @failed = true
        Complaint.print("--#{option}: #{target.path}: #{Complaint.reason(e)}", status: 1)
      end

      # @return [Boolean] whether a report could not be written
      def failed? = @failed

      # @return [void]
      def close = @targets.each_value(&:close)
    end
  end
end
