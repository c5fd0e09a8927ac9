# frozen_string_literal: true

module Frugal
  module Profile
    # What a recording does not have, in sentences.
    module Notes
      NAMED = 3 # programs
      private_constant :NAMED

      class << self
        # @param logs [Array<Log>]
        # @param limit_mib [Integer]
        # @return [Array<String>]
        def of(logs, limit_mib)
          return ["nothing was recorded: the command is statically linked, or the disk is full"] if logs.empty?

          calls = logs.flat_map { |log| log.calls.select { |call| %i[fork spawn exec].include?(call.name) } }
          calls.reject!(&:failed?)
          logs.filter_map { |log| dropped(log.process, limit_mib) } + lost(logs, calls) + unrecorded(logs, calls)
        end

        private

        def dropped(process, limit_mib)
          return if process.dropped.zero?

          "process #{process.pid}: #{process.dropped} events are counted, but have no details: its log reached " \
            "#{limit_mib} MiB, or the disk is full (--limit)"
        end

        # Children that were forked and have no log.
        def lost(logs, calls)
          known = logs.map { |log| log.process.pid }
          missing = (calls.select { |call| call.name == :fork }.map(&:bytes) - known).size
          return [] if missing.zero?

          ["#{missing} forked #{missing == 1 ? "process" : "processes"} could not create a log (other user, chroot, " \
           "or no free descriptor)"]
        end

        # The image that an exec begins has a log of its own.
        def unrecorded(logs, calls)
          started = logs.map(&:process).group_by(&:pid).transform_values { |images| images.map(&:started).max }
          missing = calls.reject { |call| call.name == :fork }.reject do |call|
            call.name == :spawn ? started.key?(call.bytes) : started.fetch(call.process.pid, 0) >= call.time
          end
          return [] if missing.empty?

          names = missing.map { |call| call.path.to_s }.uniq
          ["#{missing.size} #{missing.size == 1 ? "program was" : "programs were"} not recorded, being statically " \
           "linked or setuid: #{names.first(NAMED).join(", ")}#{", …" if names.size > NAMED}"]
        end
      end
    end
  end
end
