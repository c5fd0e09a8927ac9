# frozen_string_literal: true

require_relative "layout"
require_relative "undeclared_words"
require_relative "summary"

module Frugal
  module Profile
    module Report
      # The profile as text: verdict, counts, the findings that save most, notes on missing events, next step.
      class Terminal
        LIMIT = 10 # findings
        INDENT = 10 # columns before the text of a finding, for its saving
        private_constant :INDENT

        # @param recording [Recording]
        # @param findings [Array<Finding>]
        # @param width [Integer, nil] columns of the terminal; nil if the output is not a terminal
        # @param limit [Integer] how many findings to show
        # @param directory [String] places inside of the directory are written relative to it
        # @param next_step [String, nil] the last line, instead of the usual one
        # @yieldparam verdict [String] which the caller may make bold
        # @return [String]
        def self.of(recording, findings, width: nil, limit: LIMIT, directory: Dir.pwd, next_step: nil, &bold)
          new(recording, findings, Layout.new(width), limit, directory, next_step).to_s(&bold)
        end

        def initialize(recording, findings, layout, limit, directory, next_step)
          @recording = recording
          @summary = Summary.new(recording, findings)
          @layout = layout
          @limit = limit
          @directory = directory
          @next_step = next_step
        end

        def to_s
          verdict = @layout.paragraph(@summary.verdict).join("\n")
          verdict = yield(verdict) if block_given?
          [[verdict], counts, *findings, rest, undeclared, notes, next_step]
            .reject(&:empty?).map { |part| part.join("\n") }.join("\n\n") << "\n"
        end

        private

        def counts
          cells = @recording.counts.to_h { |name, number| [name.to_s, Readable.count(number)] }
          @layout.table(cells.merge("processes" => Readable.count(@recording.processes.size)))
        end

        def findings = @summary.findings.first(@limit).map { |finding| finding_lines(finding) }

        def finding_lines(finding)
          saved = "#{Words.time(finding.saved_us).rjust(INDENT - 2)}  "
          texts = [title(finding), finding.message, "fix: #{finding.fix}", *drop_in(finding)]
          texts.zip([saved]).flat_map do |text, first|
            @layout.paragraph(Words.visible(text), indent: INDENT, first: first.to_s)
          end
        end

        def title(finding)
          worth = "; not worth it: #{@summary.part(finding)}" unless @summary.worth?(finding)
          "#{Words.place(finding.file, finding.line, @directory)}: #{Words.kind(finding.kind)}#{worth}"
        end

        def drop_in(finding)
          "drop-in #{finding.drop_in}: #{run_command}" if finding.drop_in && @summary.worth?(finding)
        end

        def rest
          more = @summary.findings.drop(@limit)
          return [] if more.empty?

          verb = more.size == 1 ? "saves" : "save"
          @layout.paragraph("#{Words.count(more.size, "more finding")} #{verb} #{Words.time(@summary.saved_us(more))}")
        end

        def undeclared
          groups = UndeclaredWords.groups(@recording.undeclared, @directory)
          return [] if groups.empty?

          lines = groups.first(@limit).flat_map do |group|
            [group.message, "fix: #{group.fix}"].zip(["-  "]).flat_map do |text, first|
              @layout.paragraph(text, indent: INDENT, first: first.to_s.rjust(INDENT))
            end
          end
          more = groups.size - @limit
          [*@layout.paragraph("#{UndeclaredWords::TITLE}:"), *lines,
           *(@layout.paragraph("and #{Words.count(more, "more line")} of tasks", indent: INDENT) if more.positive?)]
        end

        def notes
          [*(dropped if @recording.dropped.positive?), *@recording.notes.map { |note| "note: #{note}" }]
            .flat_map { |note| @layout.paragraph(Words.visible(note)) }
        end

        def dropped
          "note: there was no room for #{Words.count(@recording.dropped, "event")}: the counts above include them, " \
            "the findings do not"
        end

        def next_step = @layout.paragraph(@next_step || "next: #{next_command}")

        # Suggests the drop-ins first, then the report with the other findings; without findings, a budget with the
        # counts of this run.
        def next_command
          worth = @summary.findings.select { |finding| @summary.worth?(finding) }
          return run_command if worth.any?(&:drop_in)
          return "frugal profile --html profile.html -- #{command}" if @summary.findings.any?

          "frugal budget --max-calls #{@recording.counts[:calls]} -- #{command}"
        end

        def run_command = "frugal run -- #{command}"

        def command = Words.visible(Readable.command(@recording.command))
      end
    end
  end
end
