# frozen_string_literal: true

require_relative "../../constants"
require_relative "../../native"
require_relative "patterns"

module Frugal
  module Dropin
    module FileUpdateChecker
      # What one checker watches: its files, and the names below its folders.
      #
      #   question = Question.of(checker, files, globs)
      #   question.newest&.unchanged?(12, *since, *now)   # whether there are still 12, all as old or older
      #
      # A checker has no reference to its question: Marshal, a Ractor or ObjectSpace would find it.
      class Question
        NEWEST = Native.engine.const_defined?(:Newest, false) ? Native.engine::Newest : nil
        ID = ::BasicObject.instance_method(:__id__)
        FINALIZE = ::ObjectSpace.method(:define_finalizer)
        private_constant :NEWEST, :ID, :FINALIZE

        @all = {} # the id of a checker, which no other object gets => its question
        @forget = ->(id) { @all.delete(id) }

        class << self
          # @param checker [ActiveSupport::FileUpdateChecker]
          # @param files [Array] of paths
          # @param globs [String, Array<String>, nil]
          # @return [Question] its `newest` is nil if only stock can answer
          def of(checker, files, globs)
            id = ID.bind_call(checker)
            kept = @all[id]
            return kept if kept&.for?(files, globs)

            FINALIZE.call(checker, @forget) unless kept
            @all[id] = new(files, globs)
          end
        end

        # *Cost*: no system call.
        #
        # @param (see .of)
        def initialize(files, globs)
          @files = files
          @names = names(files) if files.frozen? # stock's is frozen
          @globs = globs.instance_of?(::Array) ? globs.map(&:dup) : globs.dup
          folders = Patterns.folders(globs) if @names
          @newest = create(folders) if folders && gains?(folders) && plain?(files, folders)
        end

        # Whether a checker still has the same files and patterns. A String may have been changed in place.
        def for?(files, globs)
          @files.equal?(files) && @globs == globs && (@names.nil? || @names == files || @names == names(files))
        end

        # @return [Object, nil] the engine's object; nil if only stock can answer, which is permanent after a fault: on
        #   a broken disk, each attempt may take long.
        def newest = (@newest unless @newest&.failed?)

        private

        # For a single file, stock is as fast.
        def gains?(folders) = folders.any? || @names.size > 1

        def create(folders)
          NEWEST.new(folders.keys, folders.values, @names, FileUpdateChecker.unique?)
        end

        # @return [Array<String>, nil] nil for an object that is neither a String nor a Pathname
        def names(files)
          pathname = Constants.loaded("Pathname")
          files.map do |file|
            next file.dup if file.instance_of?(::String)
            return unless pathname && file.instance_of?(pathname)

            file.to_s
          end
        end

        # Whether equal bytes mean equal paths. Where each path counts once, Ruby compares Strings: a Pathname, or a
        # String in another encoding, is never equal to one.
        def plain?(files, folders)
          strings, others = files.partition { |file| file.instance_of?(::String) }
          paths = others.map(&:to_s)
          [*strings, *paths].all? { |path| readable?(path) } &&
            paths.none? { |path| strings.include?(path) || folders.each_key.any? { |folder| inside?(path, folder) } }
        end

        def readable?(path) = path.ascii_only? || (path.encoding == ::Encoding::UTF_8 && path.valid_encoding?)

        def inside?(path, folder) = path.start_with?("#{folder}/")
      end
    end
  end
end
