# frozen_string_literal: true

require_relative "../kinds"
require_relative "finder"

module Frugal
  module Profile
    module Findings
      # Backtraces that were rendered to strings and never written: the bytes that the thread wrote are too few to hold
      # them.
      #
      # Rendering a backtrace is not a call of libc: the recorder reports it as a Call named `:backtrace`, with the
      # number of frames as its bytes. From the first backtrace on, it reports writes to terminals, pipes and sockets as
      # `:output`.
      class DroppedBacktrace < Finder
        WRITES = %i[write writev pwrite sendfile output].freeze
        NAMES = [:backtrace, *WRITES].freeze
        FRAME = 20 # bytes: the minimum for the line of a frame
        ASSUMPTION = "no other thread or process has got the backtrace"
        FIX = "Raise without a backtrace (Frugal.halt, or an empty one), or render it only where it is logged."
        private_constant :WRITES, :FRAME, :ASSUMPTION, :FIX

        # The last backtrace of a thread, and the bytes that the thread has written since.
        Pending = Struct.new(:call, :place, :written)
        private_constant :Pending

        # @param context [Context]
        def initialize(context)
          super
          @pending = {}.compare_by_identity
          @dropped = Hash.new { |all, place| all[place] = [] }.compare_by_identity
          @needed = Hash.new(0).compare_by_identity
          @elsewhere = Hash.new(0).compare_by_identity
        end

        # Called by the {Timeline}.
        def call(call, _node, actor, facts)
          return render(call, actor, facts) if call.name == :backtrace

          pending = @pending[actor]
          if pending then pending.written += call.bytes
          else @elsewhere[actor.process] += call.bytes
          end
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @pending.each { |actor, pending| settle(actor, pending) }
          @pending.clear
          @dropped.reject { |_, calls| logged?(calls) }.map do |place, calls|
            finding(:dropped_backtrace, place, calls, claims,
                    fix: FIX, fail_rate: nil, saved: savings.durations(calls), assumption: ASSUMPTION,
                    message: message(place, calls))
          end
        end

        private

        def render(call, actor, facts)
          settle(actor, @pending[actor])
          @pending[actor] = Pending.new(call, facts.place, 0)
        end

        # A backtrace is dropped if the thread wrote too few bytes for it before its next backtrace.
        def settle(actor, pending)
          return unless pending

          needed = pending.call.bytes * FRAME
          if pending.written >= needed
            @elsewhere[actor.process] += pending.written
          elsif needed.positive?
            @needed[actor.process] += needed
            @dropped[pending.place] << pending.call
          end
        end

        # Another thread may write the log: whether the other writes of a process could hold its dropped backtraces.
        def logged?(calls)
          calls.map(&:process).uniq(&:object_id).any? { |process| @elsewhere[process] >= @needed[process] }
        end

        def message(place, calls)
          "#{Prose.number(calls.size)} of #{Prose.some(place.calls[:backtrace], "backtrace")} were rendered " \
            "(#{Prose.some(calls.sum(&:bytes), "frame")}) and not written: what the thread wrote before the next " \
            "one is too short to hold one"
        end
      end
    end
  end
end
