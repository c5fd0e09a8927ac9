# frozen_string_literal: true

require_relative "../error"
require_relative "ruby_recorder"

module Frugal
  module Profile
    # The two recorders: the native one, a preloaded library, and the one in Ruby, for systems on which the native one
    # cannot run.
    module Recorders
      NAMES = %i[native ruby].freeze
      # The number of Ruby frames kept for each call. The native recorder reads them nearly for nothing; in Ruby, each
      # frame costs time.
      DEPTHS = { native: 64, ruby: 24 }.freeze

      class << self
        # @param name [Symbol, nil] one of {NAMES}; nil for the native one or, if that cannot run, the one in Ruby
        # @return [Symbol] one of {NAMES}
        # @raise [UsageError] for another name
        # @raise [Error] if the native recorder is requested and cannot run, with the reason
        def choose(name)
          return Run.unavailable ? :ruby : :native if name.nil?
          raise UsageError, "recorder: must be native or ruby (got #{name})" unless NAMES.include?(name)

          Run.library if name == :native
          name
        end

        # @param name [Symbol]
        # @param directory [String] where the processes write their logs
        # @param depth [Integer, nil] nil for {DEPTHS}
        # @param options [Hash] `limit_mib`, and `given`, the environment that the command gets anyway
        # @return [Hash{String => String}] the environment with which a process records itself
        def environment(name, directory, depth: nil, given: {}, **options)
          options[:depth] = depth || DEPTHS.fetch(name)
          return RubyRecorder.environment(directory, given: given, **options) if name == :ruby

          Run.environment(directory, **options)
        end

        # @param name [Symbol]
        # @return [Array<String>] the notes of a report about this recorder
        def notes(name)
          return [] unless name == :ruby

          reason = Run.unavailable
          [RubyRecorder::NOTE, *("#{reason}, so the one in Ruby was taken" if reason)]
        end
      end
    end
  end
end
