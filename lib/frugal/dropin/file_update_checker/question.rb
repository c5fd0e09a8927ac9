# frozen_string_literal: true

require_relative "../../constants"
require_relative "../../native"
require_relative "patterns"

module Frugal
  module Dropin
    module FileUpdateChecker
      # What one checker watches: its files, and the names below its folders. It is kept in the checker, in a variable
      # that nobody sees, with what the engine knows of the folders.
      #
      #   question = Question.of(checker, files, globs)
      #   question.unchanged?(12, Time.at(1_700_000_000))   # whether there are still 12, all as old or older
      class Question
        NEWEST = Native.engine.const_defined?(:Newest, false) ? Native.engine::Newest : nil
        STRINGS = [::Encoding::UTF_8, ::Encoding::US_ASCII].freeze
        private_constant :NEWEST, :STRINGS

        # @param checker [ActiveSupport::FileUpdateChecker]
        # @param files [Array] of paths
        # @param globs [String, Array<String>, nil]
        # @return [Question] which may know that only stock can answer
        def self.of(checker, files, globs)
          kept = NEWEST.of(checker)
          return kept if kept&.for?(files, globs)

          NEWEST.keep(checker, new(files, globs))
        end

        # *Cost*: no system call.
        #
        # @param (see .of)
        def initialize(files, globs)
          @files = files
          @names = names(files)
          @globs = globs.instance_of?(::Array) ? globs.map(&:dup) : globs.dup
          folders = Patterns.folders(globs) if @names
          @newest = newest(folders) if folders && plain?(files, folders)
        end

        # Whether a checker has still these variables. A String may have been changed in place.
        def for?(files, globs)
          @files.equal?(files) && @globs == globs && (@names.nil? || @names == files || @names == names(files))
        end

        # *Cost*: see {FileUpdateChecker}.
        #
        # @param count [Integer] of files
        # @param time [Time] the newest mtime
        # @return [Boolean] whether neither has changed; false if only stock can tell
        def unchanged?(count, time)
          return false unless @newest

          now, nanoseconds = ::Process.clock_gettime(::Process::CLOCK_REALTIME, :nanosecond).divmod(1_000_000_000)
          @newest.unchanged?(count, time.to_i, time.nsec, now, nanoseconds) == true
        rescue ::SystemCallError
          @newest = nil # stock answers for ever: on a broken disk, each try may take long
          false
        end

        private

        def newest(folders)
          NEWEST.new(folders.keys, folders.values, @names, FileUpdateChecker.unique?)
        end

        # @return [Array<String>, nil] nil if only Ruby knows which file is meant
        def names(files)
          pathname = Constants.loaded("Pathname")
          files.map do |file|
            next file.dup if file.instance_of?(::String)
            return unless pathname && file.instance_of?(pathname)

            file.to_s
          end
        end

        # Where each path counts once, Ruby compares Strings. A Pathname is never equal to one, nor are other encodings.
        def plain?(files, folders)
          strings, others = files.partition { |file| file.instance_of?(::String) }
          paths = others.map(&:to_s)
          strings.all? { |file| file.ascii_only? || (STRINGS.include?(file.encoding) && file.valid_encoding?) } &&
            paths.none? { |path| strings.include?(path) || folders.each_key.any? { |folder| inside?(path, folder) } }
        end

        def inside?(path, folder) = path.start_with?("#{folder}/")
      end
    end
  end
end
