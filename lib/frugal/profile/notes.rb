# frozen_string_literal: true

require_relative "recorders"
require_relative "unrecorded"

module Frugal
  module Profile
    # Sentences about the events that are missing in a recording.
    module Notes
      MOST_PROGRAMS = 3
      NOTHING = {
        native: "nothing was recorded: the command is statically linked, setuid, or runs as another user, or the " \
                "disk is full",
        ruby: "nothing was recorded: the command runs no Ruby that reads RUBYOPT, or runs as another user, or the " \
              "disk is full"
      }.freeze
      private_constant :MOST_PROGRAMS, :NOTHING

      class << self
        # @param logs [Array<Log>]
        # @param limit_mib [Integer]
        # @param recorder [Symbol] one of {Recorders::NAMES}
        # @return [Array<String>]
        def of(logs, limit_mib, recorder = :native)
          notes = Recorders.notes(recorder)
          return [NOTHING.fetch(recorder), *notes] if logs.empty?

          notes += logs.filter_map { |log| dropped(log.process, limit_mib) } + forked(logs)
          recorder == :native ? notes + executed(logs) + ractors(logs) : notes
        end

        private

        def dropped(process, limit_mib)
          return if process.dropped.zero?

          "process #{process.pid}: #{process.dropped} events are counted, but have no details: its log reached " \
            "#{limit_mib} MiB (profile has --limit), or the disk is full"
        end

        # A sentence about the forked children that have no log.
        def forked(logs)
          known = logs.map { |log| log.process.pid }
          forked = logs.flat_map { |log| log.calls.select { |call| call.name == :fork && !call.failed? }.map(&:bytes) }
          missing = (forked - known).size
          return [] if missing.zero?

          ["#{missing} forked #{missing == 1 ? "process" : "processes"} could not create a log (other user, chroot, " \
           "or no free descriptor)"]
        end

        def ractors(logs)
          return [] unless logs.any?(&:ractors?)

          ["the program has several Ractors: exceptions are counted in the main one only"]
        end

        # Sentences about the executed programs that have no log, one for each reason.
        def executed(logs)
          Unrecorded.of(logs).group_by(&:reason).map do |reason, programs|
            names = programs.map(&:path).tally.map { |path, count| count > 1 ? "#{path} (#{count} times)" : path }
            more = " and #{names.size - MOST_PROGRAMS} more" if names.size > MOST_PROGRAMS
            "not recorded, because #{reason}: #{names.first(MOST_PROGRAMS).join(", ")}#{more}"
          end
        end
      end
    end
  end
end
