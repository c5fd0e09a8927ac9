# frozen_string_literal: true

require "json"
require_relative "definition"
require_relative "observed"
require_relative "report_files"
require_relative "../budget"

module Frugal
  module CLI
    # The command `frugal budget`. {Frugal::Budget} does the work.
    module Budget
      FAILED = 1 # over budget, or a file could not be written
      private_constant :FAILED

      autoload :Plan, "#{__dir__}/budget/plan"
      autoload :Text, "#{__dir__}/budget/text"

      class << self
        # @param argv [Array<String>] options and the command
        # @return [Integer] exit status; does not return if a signal killed the command
        def run(argv)
          plan = Plan.new(argv)
          recording, status = ReportFiles.open(plan.reports) { |files| check(plan, files) }
          Observed.finish(recording.status, status)
        end

        private

        # @return [Array(Profile::Recording, Integer)] the second element is the exit status to use if the command
        #   succeeded
        def check(plan, files)
          recording = Observed.record(plan.command, **plan.recording)
          return [recording, complain(recording)] if recording.processes.empty?

          updated = update(plan.file, recording) if plan.update? && recording.status.success?
          result = Frugal::Budget.new((updated || plan).limits).check(recording)
          files.names.each { |name| files.write(name, "#{JSON.pretty_generate(result.to_h)}\n") }
          Observed.say(Text.new(result, plan, updated).to_s)
          [recording, result.within? && !files.failed? ? 0 : FAILED]
        end

        # Writes the file, unless it already has these counts.
        #
        # @return [Frugal::Budget::LimitsFile]
        def update(file, recording)
          updated = file.with(Frugal::Budget.new({}).check(recording).counts)
          updated.write unless updated.to_s == file.to_s
          updated
        end

        def complain(recording)
          Complaint.print("nothing could be counted in the command", *recording.notes, status: FAILED)
        end
      end
    end
  end
end
