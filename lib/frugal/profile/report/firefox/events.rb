# frozen_string_literal: true

module Frugal
  module Profile
    module Report
      class Firefox
        # The columns of one thread: a sample for each call, weighted by its duration, and a marker for each call and
        # exception. Times are milliseconds from the start of the run.
        class Events
          INSTANT = 0
          INTERVAL = 1
          private_constant :INSTANT, :INTERVAL

          # @param thread [EventThread]
          # @param tables [Tables]
          # @param start [Integer] nanoseconds
          def initialize(thread, tables, start)
            @calls = thread.calls
            @raises = thread.raises
            @tables = tables
            @start = start
          end

          # The format requires a sample in each thread: in a thread without calls, the exceptions are samples without
          # weight.
          #
          # @return [Hash]
          def samples
            weights = @calls.map { |call| milliseconds(call.duration) }
            stacks = @calls.map { |call| @tables.stack(call.stack, leaf(call), category(call)) }
            stacks = @raises.map { |raised| @tables.stack(raised.stack) } if @calls.empty?
            times = (@calls.empty? ? @raises : @calls).map { |event| at(event.time) }
            { stack: stacks, time: times, weightType: "tracing-ms", weight: weights.empty? ? [0] * times.size : weights,
              length: times.size }
          end

          # @return [Hash]
          def markers
            rows = @calls.map { |call| call_marker(call) } + @raises.map { |raised| raise_marker(raised) }
            { **%i[name startTime endTime phase category data].zip(rows.transpose).to_h, length: rows.size }
          end

          # @return [Integer, Float] the end of the last event
          def finish = at([@calls.map(&:finish).max, @raises.last&.time].compact.max)

          # @param time [Integer] nanoseconds
          # @return [Integer, Float]
          def at(time) = milliseconds(time - @start)

          private

          def milliseconds(nanoseconds) = nanoseconds / 1_000_000.0

          def leaf(call) = call.error ? "#{call.name} (#{call.error})" : call.name

          def category(call) = CATEGORY_OF.fetch(call.name, OTHER)

          def call_marker(call)
            data = { type: "FileCall", path: text(call.path), to: text(call.to), error: call.error, fd: call.fd,
                     bytes: call.bytes, group: text(call.group), cause: cause(call) }.compact
            [@tables.string(call.name), at(call.time), at(call.finish), INTERVAL, category(call), data]
          end

          def raise_marker(raised)
            data = { type: "Exception", class: text(raised.class_name), depth: raised.depth, group: text(raised.group),
                     cause: cause(raised) }.compact
            [@tables.string(raised.class_name), at(raised.time), nil, INSTANT, EXCEPTION, data]
          end

          def text(bytes) = bytes && @tables.text(bytes)

          def cause(event)
            stack = @tables.stack(event.stack)
            stack && { tid: event.thread, time: at(event.time), stack: stack }
          end
        end
      end
    end
  end
end
