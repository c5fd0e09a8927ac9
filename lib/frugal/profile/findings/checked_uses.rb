# frozen_string_literal: true

require_relative "prose"
require_relative "open_file"

module Frugal
  module Profile
    module Findings
      # The checks of one place, and the uses and creations that followed them.
      class CheckedUses
        # Checks that may choose between uses.
        TYPES = %w[file? directory? symlink?].freeze
        private_constant :TYPES

        # @param call [Call]
        # @return [Symbol] the function; a directory may be opened with open, too
        def self.sort(call) = OpenFile.directory?(call) ? :opendir : call.name

        # @return [Place]
        attr_reader :place
        # @return [Integer] how many checks there were
        attr_reader :checks
        # @return [Array<Call>] checks that were followed by a use; by a creation
        attr_reader :used, :created
        # @return [Array<Symbol>] the functions that used the path; that created it
        attr_reader :uses, :creations
        # @return [Integer] the number of frames on the stack of the last check
        attr_reader :depth

        # @param place [Place]
        def initialize(place)
          @place = place
          @checks = @failures = @depth = 0
          @used = []
          @created = []
          @uses = []
          @creations = []
          @for_reading = true
        end

        # @param call [Call]
        # @param facts [StackFacts]
        def check(call, facts)
          @checks += 1
          @failures += 1 if call.error
          @depth = facts.depth
          @question = facts.question
        end

        # @param check [Call]
        # @param call [Call] that used the path
        def use(check, call)
          @used << check
          @uses << CheckedUses.sort(call)
          @for_reading = false if OpenFile.writable?(call.flags)
        end

        # @param check [Call]
        # @param call [Call] that created the path
        def create(check, call)
          @created << check
          @creations << call.name
        end

        # @return [Float] the share of the checks that fail
        def fail_rate = @failures.fdiv(@checks)

        # @return [Boolean] whether the checks ask for a permission
        def permission? = @used.any? { |check| CheckThenUse::ACCESSES.include?(check.name) }

        # @return [Boolean] whether all files were opened for reading
        def for_reading? = @for_reading

        # If a check that finds the file is not followed by a use, or by different uses, the program needs its answer.
        #
        # @return [Boolean] whether the uses make the checks superfluous
        def always_used? = @used.size == @checks - @failures && !(TYPES.include?(@question) && @uses.uniq.size > 1)
      end
    end
  end
end
