# frozen_string_literal: true

require_relative "prose"
require_relative "open_file"

module Frugal
  module Profile
    module Findings
      # The checks of one place, and the uses and creations that followed them.
      class CheckedUses
        PROOF = 0.95
        HALF = 4
        # The share of the successful checks that must be followed by a use. It is larger for a check that may choose
        # between uses.
        MOST = 0.5
        NEARLY_ALL = 0.9
        TYPES = %w[file? directory? symlink?].freeze
        private_constant :MOST, :NEARLY_ALL, :TYPES

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
          @uses << sort(call)
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

        # @return [Boolean] whether all files were opened for reading
        def for_reading? = @for_reading

        # If a check is mostly followed by no use, or by different uses, the program needs its answer.
        #
        # @return [Float] 0–1: how certain it is that the uses make the checks superfluous
        def use_proof
          types = TYPES.include?(@question)
          followed = @used.size.fdiv(@checks - @failures)
          return 0.0 if followed < (types ? NEARLY_ALL : MOST) || (types && @uses.uniq.size > 1)

          @question ? PROOF : PROOF * 0.8
        end

        private

        # A directory may be opened with open, too.
        def sort(call) = OpenFile.directory?(call) ? :opendir : call.name
      end
    end
  end
end
