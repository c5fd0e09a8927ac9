# frozen_string_literal: true

require_relative "../observed"
require_relative "../../compare"
require_relative "../../compare/progress"

module Frugal
  module CLI
    module Profile
      # `frugal profile --verify`: the measured savings beside the predicted ones. First of the questions that are not
      # asked again, then of the drop-ins.
      module Verification
        SHOWN = 5 # findings
        private_constant :SHOWN

        class << self
          # @param verification [Frugal::Compare::Verification]
          # @param recording [Frugal::Profile::Recording]
          # @param findings [Array<Frugal::Profile::Finding>]
          # @return [void]
          def run(verification, recording, findings)
            return say(["not verified: the command failed"]) unless recording.status.success?

            say(["verifying: the command runs again, many times (Ctrl-C ends it)"])
            say([*answered(recording, findings), *drop_ins(verification, findings)])
          rescue Frugal::Error => e
            say(["not verified: #{e.message}"])
          end

          private

          def answered(recording, findings)
            report = measure(Frugal::Compare::Answering.new(recording.command, recording), findings)
            return ["no superfluous question has an earlier answer"] unless report

            [(saving(report) if report.saved), *report.outcomes.first(SHOWN).map { |outcome| "  #{taken(outcome)}" },
             *report.refuted.map { |finding| "refuted: #{finding.place}: the answers were others when it ran again" },
             *report.notes].compact
          end

          def saving(report)
            answered, asked = [report.answered, report.asked].map { |count| Frugal::Readable.count(count) }
            expected = " (the findings have #{asked})" unless answered == asked
            "#{answered} superfluous questions were not asked again#{expected}: #{effect(report)}"
          end

          def effect(report)
            predicted = "predicted #{seconds(report.predicted)}"
            return "#{predicted}, not measured: #{report.problem}" if report.problem
            return "#{interval(report.saved)} of processor time saved, #{predicted}" unless report.saved.unclear?

            "#{predicted}; the calls took #{interval(report.taken)}, but the processor time of the runs differs by " \
              "more (#{seconds(report.saved.low)} to #{seconds(report.saved.high)})"
          end

          def taken(outcome)
            "#{outcome.finding.place}: predicted #{seconds(outcome.predicted)}, the calls took " \
              "#{interval(outcome.taken)}#{error(outcome)}"
          end

          def interval(value) = "#{seconds(value.median)} (#{seconds(value.low)} to #{seconds(value.high)})"

          def drop_ins(verification, findings)
            measure(verification, findings).map do |outcome|
              "drop-in #{outcome.drop_in}: #{times(outcome)}"
            end
          end

          def measure(verification, findings)
            progress = Frugal::Compare::Progress.new($stderr, heartbeat: true)
            verification.of(findings, &progress)
          ensure
            progress&.clear
          end

          def times(outcome)
            predicted = "predicted at least #{seconds(outcome.predicted)}"
            return "#{predicted}, not measured: #{outcome.problem}" if outcome.problem

            "#{predicted}, measured #{seconds(outcome.measured)} " \
              "(#{seconds(outcome.low)} to #{seconds(outcome.high)})#{error(outcome) unless outcome.unclear?}"
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
