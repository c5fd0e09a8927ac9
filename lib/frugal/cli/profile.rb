# frozen_string_literal: true

require_relative "definition"
require_relative "observed"
require_relative "paint"
require_relative "report_files"
require_relative "../profile"

module Frugal
  module CLI
    # The command `frugal profile`. {Frugal::Profile} does the work.
    module Profile
      FAILED = 1 # a report could not be written, or there were more superfluous calls than --fail-over
      # Option → the name of the report.
      FORMATS = { json: :JSON, html: :HTML, speedscope: :Speedscope, firefox: :Firefox, sarif: :SARIF }.freeze
      private_constant :FAILED

      autoload :Plan, "#{__dir__}/profile/plan"
      autoload :Comparison, "#{__dir__}/profile/comparison"
      autoload :Groups, "#{__dir__}/profile/groups"
      autoload :Limit, "#{__dir__}/profile/limit"
      autoload :Verification, "#{__dir__}/profile/verification"

      class << self
        # @param argv [Array<String>] options and the command
        # @return [Integer] exit status; does not return if a signal killed the command
        def run(argv)
          plan = Plan.new(argv)
          return Comparison.run(*plan.operands, markdown: plan.markdown?) if plan.diff?

          recording, status = ReportFiles.open(plan.reports) { |files| profile(plan, files) }
          Observed.finish(recording.status, status)
        end

        private

        # @return [Array(Frugal::Profile::Recording, Integer)] the second element is the exit status to use if the
        #   command succeeded
        def profile(plan, files)
          recording = Observed.record(plan.operands, **plan.recording)
          ignoring = Frugal::Profile::Ignoring.new(plan.ignored)
          findings = ignoring.mark(findings(recording))
          files.names.each { |name| files.write(name, report(FORMATS.fetch(name), recording, findings)) }
          show(plan, recording, findings) unless plan.quiet?
          ignoring.unused.each { |place| Observed.say("\nnote: --ignore #{place}: there is no finding\n") }
          over = plan.most && Limit.over(plan.most, recording, findings)
          Observed.say("\nfrugal: #{over}\n") if over
          [recording, over || files.failed? ? FAILED : 0]
        end

        def findings(recording)
          Frugal::Profile::Analyzer.new(recording, Frugal::Profile::CostModel.calibrate).findings
        end

        def report(format, ...) = Frugal::Profile::Report.const_get(format).of(...)

        def show(plan, recording, findings)
          text = report(:Terminal, recording, findings, **plan.terminal) { |verdict| Paint.bold(verdict, $stderr) }
          Observed.say("\n#{text}")
          Observed.say("\n#{Groups.of(recording, plan.by, findings)}") if plan.by? || recording.runs.any?
          Verification.run(plan.verification, recording, findings) if plan.verification
        end
      end
    end
  end
end
