# frozen_string_literal: true

require "json"
require_relative "event_thread"
require_relative "../../readable"
require_relative "../../version"

module Frugal
  module Profile
    module Report
      # The time of the calls as stacks for https://www.speedscope.app: a profile for each thread, with the call as the
      # innermost frame, weighted by its duration in microseconds.
      class Speedscope
        SCHEMA = "https://www.speedscope.app/file-format-schema.json"

        # @param recording [Recording]
        # @param _findings [Array<Finding>] not used: the format has no place for them
        # @return [String] one JSON document
        def self.of(recording, _findings = []) = "#{::JSON.generate(new(recording).to_h)}\n"

        def initialize(recording)
          @recording = recording
          @frames = {}
          @samples = Hash.new { |stacks, stack| stacks[stack] = {} }.compare_by_identity
        end

        # @return [Hash] the document
        def to_h
          profiles = EventThread.of(@recording).reject { |thread| thread.calls.empty? }.map { |thread| profile(thread) }
          { "$schema" => SCHEMA, name: Words.visible(Readable.command(@recording.command)), activeProfileIndex: 0,
            exporter: "frugal #{VERSION}", shared: { frames: @frames.keys }, profiles: profiles }
        end

        private

        def profile(thread)
          samples, times = merged(thread.calls)
          { type: "sampled", name: thread.name, unit: "microseconds", startValue: 0, endValue: times.sum / 1000.0,
            samples: samples, weights: times.map { |time| time / 1000.0 } }
        end

        # Merges adjacent calls with the same stack into one sample.
        def merged(calls)
          samples = []
          times = []
          calls.each do |call|
            sample = sample(call)
            next times[-1] += call.duration if sample.equal?(samples.last)

            samples << sample
            times << call.duration
          end
          [samples, times]
        end

        # @return [Array<Integer>] the frames, the outermost first; the same object for the same stack and call
        def sample(call)
          stacks = @samples[call.stack]
          name = call.error ? "#{call.name} (#{call.error})" : call.name
          stacks[name] ||= [*(stacks[nil] ||= outside_in(call.stack)), index(name: name)]
        end

        def outside_in(stack) = stack.frames.reverse_each.map { |frame| index(**frame_members(frame)) }

        def frame_members(frame)
          { name: Words.visible(frame.label || "?"), file: frame.file && Words.visible(frame.file), line: frame.line }
            .compact
        end

        def index(**frame) = @frames[frame] ||= @frames.size
      end
    end
  end
end
