# frozen_string_literal: true

require_relative "../words"

module Frugal
  module Profile
    module Report
      class HTML
        # Calls and exceptions over time: a row for each process; all rows have the same equal steps of time.
        class Timeline
          STEPS = 200
          ROWS = 24 # processes with the most calls; the others are one row

          # @param recording [Recording]
          def initialize(recording)
            @recording = recording
            first = [recording.processes.first&.started, recording.calls.first&.time, recording.raises.first&.time]
            last = [recording.calls.last&.finish, recording.raises.last&.time, recording.processes.last&.started]
            @start = first.compact.min || 0
            @span = [(last.compact.max || 0) - @start + 1, STEPS].max
          end

          # @return [Hash] `span` in microseconds; for each row its `label`, `calls` and `failed` calls in each step,
          #   and `raised`: step => the number of exceptions, and their most frequent class
          def to_h
            { span: @span / 1000.0, steps: STEPS, rows: rows }
          end

          private

          def rows
            rows = Hash.new { |all, label| all[label] = { label: label, calls: steps, failed: steps, raised: {} } }
            labels = self.labels
            @recording.calls.each { |call| add(call, rows[labels[call.process]]) }
            @recording.raises.each { |raised| add_raise(raised, rows[labels[raised.process]]) }
            rows.each_value { |row| row[:raised].transform_values! { |classes| most(classes) } }
            labels.each_value.uniq.filter_map { |label| rows[label] if rows.key?(label) }
          end

          def steps = Array.new(STEPS, 0)

          def step(time) = (time - @start) * STEPS / @span

          def add(call, row)
            row[:calls][step(call.time)] += 1
            row[:failed][step(call.time)] += 1 if call.error
          end

          def add_raise(raised, row)
            (row[:raised][step(raised.time)] ||= Hash.new(0))[raised.class_name] += 1
          end

          def most(classes)
            name = classes.max_by(&:last).first
            [classes.each_value.sum, Words.visible(name)[0, HTML::TEXT]]
          end

          # @return [Hash{ProcessRecord => String}]
          def labels
            own = @recording.processes
            own = own.max_by(ROWS - 1) { |process| process.counts.each_value.sum } if own.size > ROWS
            own = own.to_h { |process| [process, true] }.compare_by_identity
            @recording.processes.to_h do |process|
              [process, own.key?(process) ? label(process) : "#{@recording.processes.size - own.size} other processes"]
            end.compare_by_identity
          end

          def label(process) = "#{process.pid} #{Words.visible(process.argv.map(&:b).join(" "))[0, HTML::TEXT]}"
        end
      end
    end
  end
end
