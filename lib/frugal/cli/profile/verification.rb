# frozen_string_literal: true

require_relative "../observed"
require_relative "../../compare"
require_relative "../../compare/progress"

module Frugal
  module CLI
    module Profile
      # `frugal profile --verify`: the measured savings of the drop-ins, beside the predicted savings.
      module Verification
        class << self
          # @param verification [Frugal::Compare::Verification]
          # @param recording [Frugal::Profile::Recording]
          # @param findings [Array<Frugal::Profile::Finding>]
          # @return [void]
          def run(verification, recording, findings)
            return say(["not verified: the command failed"]) unless recording.status.success?

            outcomes = measure(verification, findings)
            return say(["not verified: no finding names a drop-in"]) if outcomes.empty?

            say(outcomes.map { |outcome| words(outcome) })
          rescue Frugal::CommandError => e
            say(["not verified: #{e.message}"])
          end

          private

          def measure(verification, findings)
            progress = Frugal::Compare::Progress.new($stderr, heartbeat: true)
            verification.of(findings, &progress)
          ensure
            progress&.clear
          end

          def words(outcome)
            predicted = "drop-in #{outcome.drop_in}: predicted at least #{seconds(outcome.predicted)}"
            return "#{predicted}, not measured: #{outcome.problem}" if outcome.problem

            "#{predicted}, measured #{seconds(outcome.measured)} " \
              "(#{seconds(outcome.low)} – #{seconds(outcome.high)})#{error(outcome)}"
          end

          # @return [String] by how much the saving exceeds the prediction, such as ", +10 %"
          def error(outcome)
            outcome.error ? format(", %+.0f %%", outcome.error * 100) : ""
          end

          def seconds(value) = "#{"-" if value.negative?}#{Frugal::Readable.seconds(value.abs)}"

          def say(lines) = Observed.say(["", *lines].join("\n") << "\n")
        end
      end
    end
  end
end
