# frozen_string_literal: true

require_relative "../groups"
require_relative "call_rows"
require_relative "json_member"
require_relative "words"

module Frugal
  module Profile
    module Report
      # The profile as JSON; docs/profile-json.md describes each field.
      class JSON
        VERSION = 2
        COUNTS = %i[calls stats opens reads writes exceptions].freeze
        private_constant :COUNTS

        # *Cost*: about 2 µs for each call of the recording.
        #
        # @param recording [Recording]
        # @param findings [Array<Finding>]
        # @return [String] one JSON document, with one line for each process, call, exception, finding and so on
        def self.of(recording, findings) = new(recording, findings).to_s

        def initialize(recording, findings)
          @recording = recording
          @findings = findings
        end

        # @return [String]
        def to_s
          members = head.map { |name, value| "#{::JSON.generate(name)}:#{::JSON.generate(value)}" }
          tables = { processes: processes, calls: calls, exceptions: exceptions, findings: findings, groups: groups,
                     undeclared: undeclared }
          tables.delete(:groups) unless grouped?
          members.concat(tables.map { |name, lines| "\"#{name}\":#{table(lines)}" })
          "{\n#{members.join(",\n")}\n}\n"
        end

        private

        def head
          status = @recording.status
          { "version" => VERSION, **JSONMember.list("command", @recording.command),
            "status" => { exit: status&.exitstatus, signal: status&.termsig && "SIG#{Signal.signame(status.termsig)}" },
            "recorder" => @recording.recorder, "wall_us" => @recording.wall_us, "cpu_us" => @recording.cpu_us,
            "counts" => @recording.counts.slice(*COUNTS) }
        end

        def table(lines) = lines.empty? ? "[]" : "[\n#{lines.join(",\n")}\n]"

        def processes
          @recording.processes.map do |process|
            ::JSON.generate({ pid: process.pid, ppid: process.ppid, **JSONMember.list("argv", process.argv),
                              **JSONMember.of("ruby", process.ruby), dropped: process.dropped })
          end
        end

        def grouped? = @recording.runs.any?

        def groups
          return [] unless grouped?

          Groups.of(@recording, :example).map do |group|
            ::JSON.generate({ **JSONMember.of("group", group.name), runs: group.runs, **group.counts.slice(*COUNTS) })
          end
        end

        # There may be as many rows as calls, so they are written without a Hash or a String for each.
        def calls
          CallRows.groups(@recording.calls).map do |rows|
            row = rows.first
            head = "{\"pid\":#{row.process.pid},\"call\":\"#{row.call}\",\"path"
            tail = ",#{JSONMember.text("errno", row.error)},#{place(row.site)},\"count\":"
            rows.each_with_object(+"") do |one, text|
              text << (text.empty? ? "" : ",\n") << head
              paths(one, text)
              text << tail << one.count.to_s << ",\"time_us\":" << microseconds(one.time) << "}"
            end
          end
        end

        # Appends the paths to a text that ends with `"path`.
        def paths(row, text)
          JSONMember.append(text, row.path)
          text << (row.to ? ",\"to" : ",\"to\":null")
          JSONMember.append(text, row.to) if row.to
        end

        def place(site)
          "#{JSONMember.text("file", site&.file)},\"line\":#{site ? site.line : "null"}," \
            "#{JSONMember.text("method", site&.method_name)}"
        end

        # Formats with one decimal, without a Float.
        def microseconds(nanoseconds)
          tenths = (nanoseconds + 50) / 100
          "#{tenths / 10}.#{tenths % 10}"
        end

        def exceptions
          rows = @recording.raises.group_by do |raised|
            [raised.process.pid, raised.class_name, raised.site&.file, raised.site&.line, raised.depth]
          end
          rows.map do |(pid, class_name), same|
            "{\"pid\":#{pid},#{JSONMember.text("class", class_name)},#{place(same.first.site)}," \
              "\"depth\":#{same.first.depth},\"count\":#{same.size}}"
          end
        end

        def findings
          @findings.map do |finding|
            ::JSON.generate({ kind: finding.kind, **line(finding.path.first),
                              **JSONMember.of("method", finding.path.first.method_name),
                              via: lines(finding.path.drop(1)), callers: lines(finding.callers),
                              known_from: finding.known_from && line(finding.known_from),
                              lines: finding.lines,
                              count: finding.count, fail_rate: finding.fail_rate, saved_us: finding.saved_us,
                              saved_range_us: finding.saved_range_us, proof: finding.proof,
                              ignored: finding.ignored, assumption: finding.assumption, message: text(finding.message),
                              fix: text(finding.fix), **groups_of(finding) })
          end
        end

        def lines(frames) = frames.map { |frame| line(frame) }

        def line(frame) = { **JSONMember.of("file", frame.file), "line" => frame.line }

        def groups_of(finding)
          return {} unless grouped? && finding.groups

          { groups: finding.groups.map { |name, count| { **JSONMember.of("group", name), count: count } } }
        end

        def undeclared
          @recording.undeclared.map do |one|
            task = one.task
            ::JSON.generate({ kind: one.kind, **JSONMember.of("task", task.name),
                              **JSONMember.of("task_file", task.place&.file), task_line: task.place&.line,
                              **JSONMember.of("path", one.path), **JSONMember.of("file", one.site&.file),
                              line: one.site&.line, **JSONMember.of("writer", one.writer&.name), fix: text(one.fix) })
          end
        end

        # Escapes a sentence, which may contain names of files.
        def text(sentence) = Words.visible(sentence)
      end
    end
  end
end
