# frozen_string_literal: true

require_relative "../../budget"
require_relative "../complaint"
require_relative "../definition"
require_relative "../observed"

module Frugal
  module CLI
    module Budget
      # The parsed arguments of `frugal budget`.
      class Plan
        # Option → limit.
        OPTIONS = Frugal::Budget::LIMITS.to_h { |limit| [:"max_#{limit}", limit] }.freeze
        private_constant :OPTIONS

        # @return [Array<String>]
        attr_reader :command
        # @return [Frugal::Budget::LimitsFile, nil]
        attr_reader :file
        # @return [Hash{Symbol => String}] the files of reports
        attr_reader :reports

        # @param argv [Array<String>]
        # @raise [UsageError, OptionParser::ParseError]
        def initialize(argv)
          numbers = OPTIONS.transform_values { method(:at_least_zero) }
          @options, @command = Definition["budget"].parse(argv, recorder: Observed.method(:recorder), **numbers)
          raise UsageError, "no command to check" if command.empty?

          @reports = @options.slice(:json)
          @given = @options.slice(*OPTIONS.keys).transform_keys(OPTIONS)
          check
          @file = read(@options[:file]) if @options[:file]
          return if update? || limits.any?

          raise UsageError, "#{file.path}: no limit in it; --update writes the counts of a run"
        end

        # @return [Hash] options of {Frugal::Profile::Run}
        def recording = @options.slice(:recorder)

        # @return [Boolean] whether the file gets the counts of this run
        def update? = @options.key?(:update)

        # @return [Hash{Symbol => Integer}] limits of the command line override those of the file
        def limits = { **(file ? file.limits : {}), **@given }

        private

        def at_least_zero(number)
          raise Arguments::InvalidArgument, "#{number}: at least 0" if number.negative?

          number
        end

        def check
          return if @options[:file] && (@given.empty? || !update?)
          raise UsageError, "--update needs the --file that it writes" if update? && !@options[:file]
          raise UsageError, "--update and --max-#{@given.keys.first} cannot be combined" if update?
          raise UsageError, "no limit: name one, such as --max-stats N, or a --file" if @given.empty?
        end

        def read(path)
          check_folder(File.symlink?(path) ? File.realpath(path) : path) if update?
          return Frugal::Budget::LimitsFile.read(path) if File.exist?(path)
          return Frugal::Budget::LimitsFile.fresh(path, command) if update?

          raise UsageError, "--file: #{path}: no such file; --update creates it with the counts of a run"
        rescue SystemCallError => e
          raise UsageError, "--file: #{path}: #{Complaint.reason(e)}"
        end

        # Checks, before anything runs, that the folder is writable: a new file replaces the old one.
        def check_folder(path)
          folder = File.dirname(path)
          raise Errno::ENOENT unless File.directory?(folder)
          raise Errno::EACCES unless File.writable?(folder)
        end
      end
    end
  end
end
