# frozen_string_literal: true

require_relative "layout"
require_relative "undeclared_words"
require_relative "summary"

module Frugal
  module Profile
    module Report
      # The profile as text: verdict, counts, the findings that save most, what gems ask, notes on missing events, next
      # step.
      class Terminal
        LIMIT = 10 # findings
        LEAST = 3 # findings of the program that are shown even if they save little
        MOST_GEMS = 5
        INDENT = 10 # columns before the text of a finding, for its saving
        private_constant :LEAST, :MOST_GEMS, :INDENT

        # @param recording [Recording]
        # @param findings [Array<Finding>]
        # @param width [Integer, nil] columns of the terminal; nil if the output is not a terminal
        # @param limit [Integer] how many findings to show
        # @param all [Boolean] shows each finding and each gem
        # @param origins [Origins]
        # @param next_step [String, nil] the last line, instead of the usual one
        # @yieldparam verdict [String] which the caller may make bold
        # @return [String]
        def self.of(recording, findings, width: nil, limit: LIMIT, all: false, origins: Origins.new, next_step: nil,
                    &bold)
          new(recording, findings, Layout.new(width), all ? nil : limit, origins, next_step).to_s(&bold)
        end

        def initialize(recording, findings, layout, limit, origins, next_step)
          @recording = recording
          @summary = Summary.new(recording, findings)
          @layout = layout
          @limit = limit
          @origins = origins
          @next_step = next_step
        end

        def to_s
          verdict = @layout.paragraph(@summary.verdict).join("\n")
          verdict = yield(verdict) if block_given?
          [[verdict], counts, *findings, rest, gems, freshness, ignored, undeclared, notes, next_step]
            .reject(&:empty?).map { |part| part.join("\n") }.join("\n\n") << "\n"
        end

        private

        def counts
          cells = @recording.counts.to_h { |name, number| [name.to_s, Readable.count(number)] }
          @layout.table(cells.merge("processes" => Readable.count(@recording.processes.size)))
        end

        def findings = shown.map { |finding| finding_lines(finding) }

        # Those that are worth a change, and a few of the program. The others are summed.
        def shown
          @shown ||= if @limit
                       worth, small = @summary.findings.partition { |finding| @summary.worth?(finding) }
                       small.select! { |finding| origin(finding) == Origins::PROGRAM }
                       (worth + small.first([LEAST - worth.size, 0].max)).first(@limit)
                     else
                       @summary.findings
                     end
        end

        # @return [String] the name of the program or of a gem
        def origin(finding) = finding.lines ? "require" : @origins.of(finding.file).name

        def finding_lines(finding)
          saved = "#{Words.time(finding.saved_us).rjust(INDENT - 2)}  "
          texts = [title(finding) + worth(finding), finding.message, *places(finding), *assumption(finding),
                   "fix: #{finding.fix}", *drop_in(finding)]
          texts.zip([saved]).flat_map do |text, first|
            @layout.paragraph(Words.visible(text), indent: INDENT, first: first.to_s)
          end
        end

        def places(finding)
          { "known from" => finding.known_from, "called from" => finding.callers.first }.compact.map do |title, frame|
            "#{title} #{Words.place(frame.file, frame.line, @origins)}"
          end
        end

        def assumption(finding) = finding.assumption && "likely, if #{finding.assumption}"

        def title(finding) = "#{Words.path(finding, @origins)}: #{Words.kind(finding.kind)}"

        def worth(finding) = @summary.worth?(finding) ? "" : "; not worth it: #{@summary.part(finding)}"

        def drop_in(finding)
          "drop-in #{finding.drop_in}: #{run_command}" if finding.drop_in && @summary.worth?(finding)
        end

        def rest
          more = (@summary.findings - shown).select { |finding| origin(finding) == Origins::PROGRAM }
          return [] if more.empty?

          together = "#{saved(more)}#{" together" if more.size > 1}"
          @layout.paragraph("#{Words.count(more.size, "more finding")} in the program, #{together}; --all shows each")
        end

        def saved(findings) = Words.time(@summary.saved_us(findings))

        # What no line of the program has caused. Its author can change the gem, or leave it out.
        def gems
          gems = @summary.findings.group_by { |finding| origin(finding) }
          gems.delete(Origins::PROGRAM)
          return [] if gems.empty?

          gems = gems.sort_by { |name, some| [-@summary.saved_us(some), name] }
          listed = @limit ? gems.first(MOST_GEMS) : gems
          lines = listed.flat_map { |name, some| gem_lines(name, some, "; most: #{most(some.first)}") }
          more = gems.drop(listed.size)
          lines.concat(gem_lines(Words.count(more.size, "other"), more.flat_map(&:last))) if more.any?
          hint = "; --all shows each" if @limit
          [*@layout.paragraph("what your gems ask, and no line of the program#{hint}:"), *lines]
        end

        def gem_lines(name, findings, most = nil)
          text = "#{name}: #{Words.count(findings.size, "finding")}, " \
                 "#{Readable.count(findings.sum(&:count))} superfluous#{most}"
          @layout.paragraph(Words.visible(text), indent: INDENT, first: "#{saved(findings).rjust(INDENT - 2)}  ")
        end

        # @param finding [Finding] of a gem
        # @return [String] such as "cache.rb:12, redundant call"
        def most(finding)
          kind = Words.kind(finding.kind)
          finding.lines ? kind : "#{@origins.of(finding.file).path}:#{finding.line}, #{kind}"
        end

        # They are not waste, but a reader wants to know where many of them come from.
        def freshness
          checks = @summary.freshness
          return [] if checks.empty?

          most = checks.first
          @layout.paragraph("not waste: #{Words.count(checks.sum(&:count), "freshness check")} at " \
                            "#{Words.count(checks.size, "line")}; #{Words.path(most, @origins)}: " \
                            "#{most.message}")
        end

        def ignored
          ignored = @summary.ignored
          return [] if ignored.empty?

          @layout.paragraph("ignored: #{Words.count(ignored.size, "finding")}, " \
                            "#{Readable.count(ignored.sum(&:count))} superfluous: #{Words.ignored(ignored, @origins)}")
        end

        def undeclared
          groups = UndeclaredWords.groups(@recording.undeclared, @origins)
          return [] if groups.empty?

          lines = groups.first(@limit || groups.size).flat_map do |group|
            [group.message, "fix: #{group.fix}"].zip(["-  "]).flat_map do |text, first|
              @layout.paragraph(text, indent: INDENT, first: first.to_s.rjust(INDENT))
            end
          end
          more = groups.size - (@limit || groups.size)
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
