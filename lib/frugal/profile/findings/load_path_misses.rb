# frozen_string_literal: true

require_relative "../kinds"
require_relative "finder"

module Frugal
  module Profile
    module Findings
      # The failed stats and opens of `require`, which tries one folder of the load path after the other: one finding
      # for each program, at the line with the most of them.
      class LoadPathMisses < Finder
        LOADER_NAMES = (Kinds::STATS + Kinds::OPENS).freeze
        MISSES = { "ENOENT" => true, "ENOTDIR" => true }.freeze
        FIX = "Add the gem bootsnap, which knows from an index of the load path where each file is."
        FIX_WITH_BOOTSNAP = "bootsnap is on: these files are required before it, or are not in its index."
        BOOTSNAP = "/bootsnap.rb"
        private_constant :MISSES, :FIX, :FIX_WITH_BOOTSNAP, :BOOTSNAP

        # The questions of `require` in one program.
        Program = Struct.new(:total, :calls, :places, :bootsnap)
        private_constant :Program

        # @param context [Context]
        def initialize(context)
          super
          @programs = Hash.new { |all, argv| all[argv] = Program.new(0, [], Hash.new(0).compare_by_identity) }
        end

        # Called by the {Timeline}.
        def loaded(call, _node, actor, facts)
          program = @last_process.equal?(actor.process) ? @last : program(actor.process)
          program.total += 1
          program.bootsnap ||= !call.error && call.path&.end_with?(BOOTSNAP)
          return unless MISSES.key?(call.error)

          program.calls << call
          program.places[facts.place] += 1
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @programs.each_value.reject { |program| program.calls.empty? }.map do |program|
            calls = program.calls
            place = program.places.max_by(&:last).first
            finding(:load_path_misses, place, calls, claims,
                    lines: program.places.size, fix: program.bootsnap ? FIX_WITH_BOOTSNAP : FIX,
                    fail_rate: calls.size.fdiv(program.total), saved: savings.searches(calls),
                    message: message(program))
          end
        end

        private

        def program(process)
          @last_process = process
          @last = @programs[process.argv]
        end

        def message(program)
          "#{Prose.number(program.calls.size)} of #{Prose.some(program.total, "question")} of require miss"
        end
      end
    end
  end
end
