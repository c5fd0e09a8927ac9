# frozen_string_literal: true

require_relative "../call_rows"
require_relative "../summary"
require_relative "../undeclared_words"
require_relative "timeline"
require_relative "tree"

module Frugal
  module Profile
    module Report
      class HTML
        # The data that the script of the page shows. Its size does not grow with the number of calls: each part has a
        # limit.
        class Data
          ROWS = 500 # of each table

          # @param recording [Recording]
          # @param summary [Summary]
          # @param origins [Origins]
          def initialize(recording, summary, origins)
            @recording = recording
            @summary = summary
            @origins = origins
          end

          # @return [Hash]
          def to_h
            rows = CallRows.of(@recording.calls)
            { findings: findings, undeclared: undeclared, paths: paths(rows), sources: sources(rows),
              timeline: Timeline.new(@recording).to_h, exceptions: exceptions, processes: processes }
          end

          private

          def findings
            @summary.findings.first(ROWS).map do |finding|
              { kind: Words.kind(finding.kind), about: Words::KINDS.fetch(finding.kind).last,
                place: text(Words.path(finding, @origins)), count: finding.count,
                failRate: finding.fail_rate, saved: finding.saved_us, range: finding.saved_range_us,
                assumption: finding.assumption, callers: places(finding.callers),
                known: places([finding.known_from].compact),
                worth: @summary.worth?(finding), part: @summary.part(finding), message: text(finding.message),
                fix: text(finding.fix), dropIn: finding.drop_in, examples: finding.examples.map { |path| text(path) } }
            end
          end

          def places(frames) = frames.map { |frame| text(Words.place(frame.file, frame.line, @origins)) }

          def undeclared
            groups = UndeclaredWords.groups(@recording.undeclared, @origins)
            rows = groups.map do |group|
              [text(group.first.task.name), text(group.place), text(group.message), text(group.fix), group.rows.size]
            end
            limited(rows, &:last)
          end

          def paths(rows)
            tree = Tree.new
            rows.each { |row| tree.add(row.path, row) { row.path ? split(row.path) : ["descriptors without a path"] } }
            tree.to_h
          end

          def sources(rows)
            tree = Tree.new
            rows.each do |row|
              tree.add(row.site, row) { row.site ? [*split(row.file), ":#{row.line}"] : ["outside of Ruby"] }
            end
            tree.to_h
          end

          def split(path)
            return [path.b] unless path.start_with?("/")

            _, first, *names = path.b.split("/")
            ["/#{first}", *names]
          end

          def exceptions
            rows = @recording.raises.group_by do |raised|
              [raised.class_name, raised.site&.file, raised.site&.line, raised.depth]
            end
            rows = rows.map do |(name, file, line, depth), same|
              [text(name), text(Words.place(file, line, @origins)), depth, same.size]
            end
            limited(rows, &:last)
          end

          def processes
            first = @recording.processes.first&.started
            rows = @recording.processes.map do |process|
              raised = process.counts.fetch(:raise, 0)
              [process.pid, process.ppid, text(process.argv.map(&:b).join(" ")), text(process.ruby || "–"),
               (process.started - first) / 1000.0, process.counts.each_value.sum - raised, raised, process.dropped]
            end
            limited(rows) { |row| row[5] }
          end

          # @return [Hash] `more` is the number of rows that are left out
          def limited(rows, &size)
            kept = rows.size > ROWS ? rows.max_by(ROWS, &size) : rows
            { rows: kept, more: rows.size - kept.size }
          end

          def text(bytes) = Words.visible(bytes)[0, TEXT]
        end
      end
    end
  end
end
