# frozen_string_literal: true

require_relative "../observed"
require_relative "../../profile"

module Frugal
  module CLI
    module Profile
      # `frugal profile --fail-over N`: a limit for the waste at the lines of the program. What RubyGems and other gems
      # ask depends on the machine, so it does not count.
      module Limit
        NAMED = 3 # lines
        private_constant :NAMED

        class << self
          # @param most [Integer]
          # @param recording [Frugal::Profile::Recording]
          # @param findings [Array<Frugal::Profile::Finding>]
          # @return [String, nil] what is too much; nil if it is within the limit
          def over(most, recording, findings)
            return unchecked(recording.dropped) if recording.dropped.positive?

            own = own(findings)
            found = own.sum(&:count)
            return if found <= most

            "#{count(found)} superfluous at lines of the program, more than #{count(most)}: #{largest(own)}"
          end

          private

          def unchecked(dropped) = "the limit cannot be checked: there was no room for #{events(dropped)} (--limit)"

          def own(findings)
            @origins = Frugal::Profile::Origins.new
            findings.select { |one| one.waste? && !one.ignored && !one.lines && @origins.own?(one.file) }
          end

          def largest(findings)
            lines = findings.sort_by { |finding| -finding.count }.first(NAMED).map do |finding|
              "#{Frugal::Profile::Report::Words.path(finding, @origins)} (#{count(finding.count)})"
            end
            lines.join(", ")
          end

          def count(number) = Frugal::Readable.count(number)

          def events(number) = "#{count(number)} event#{"s" unless number == 1}"
        end
      end
    end
  end
end
