# frozen_string_literal: true

require_relative "../finding"
require_relative "claims"
require_relative "drop_ins"
require_relative "prose"
require_relative "savings"

module Frugal
  module Profile
    module Findings
      # The objects that the finders of one recording share.
      Context = Struct.new(:recording, :timeline, :savings, :questions, :rescuers, keyword_init: true)

      # Base of the finders, one for each kind of finding. The {Timeline} passes the calls to them. At the end,
      # `findings(claims)` of each finder is called, in the order of priority: a finding that is shown claims its calls.
      class Finder
        NAMES = [].freeze
        LOADER_NAMES = [].freeze
        # Calls: the libraries that Ruby loads by itself cost every program some hundred calls.
        HALF_OF_LOADING = 900
        private_constant :HALF_OF_LOADING

        # @param context [Context]
        def initialize(context)
          @context = context
        end

        private

        # @return [Savings]
        def savings = @context.savings

        # @return [Timeline]
        def timeline = @context.timeline

        # Returns a confidence that grows with each repetition.
        #
        # @param proof [Float] how certain one case is
        # @param half [Numeric] the number of cases with which the confidence is half of `proof`; at the lines of
        #   RubyGems, which cost every program some calls, at least {HALF_OF_LOADING}
        # @param place [Place]
        def confidence(proof, count, half, place)
          half = [half, HALF_OF_LOADING].max if place.loader?
          proof * count / (count + half)
        end

        # @param calls [Array<Call>] the superfluous ones
        # @param fix [String] a sentence; the advice of a drop-in replaces it
        # @param others [Hash] further members of the finding; they replace the members that are computed here
        # @return [Finding]
        def finding(kind, place, calls, claims, fix:, **others)
          drop_in = others.fetch(:drop_in) { DropIns.for(kind, place.file, calls) }
          others[:saved_us] ||= savings.us(calls)
          found = Finding.new(kind: kind, file: place.file, line: place.line, count: calls.size,
                              examples: examples(calls), groups: groups(calls),
                              fix: drop_in ? DropIns.advice(drop_in) : fix, **others, drop_in: drop_in)
          claims.take(calls) if found.shown?
          found
        end

        # @return [Hash{String, nil => Integer}, nil]
        def groups(events)
          events.map(&:group).tally unless @context.recording.runs.empty?
        end

        # @return [Array<String>] up to three paths
        def examples(calls) = calls.lazy.filter_map(&:path).uniq.first(3)
      end
    end
  end
end
