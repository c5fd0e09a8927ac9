# frozen_string_literal: true

require "json"
require_relative "event_thread"
require_relative "../../readable"

module Frugal
  module Profile
    module Report
      # The calls and exceptions in the processed format of https://profiler.firefox.com, which also describes it:
      # docs-developer/CHANGELOG-formats.md of github.com/firefox-devtools/profiler. The site upgrades older versions.
      class Firefox
        VERSION = 61 # of the processed format
        GECKO_VERSION = 31 # of the format that Firefox itself writes; the site requires this version, too
        CATEGORIES = [%w[Other grey], %w[Ruby lightblue], %w[Stat yellow], %w[Open orange], %w[Read green],
                      %w[Write magenta], %w[Exception red]].freeze
        OTHER, RUBY, STAT, OPEN, READ, WRITE, EXCEPTION = *0...CATEGORIES.size
        CATEGORY_OF = { stats: STAT, opens: OPEN, reads: READ, writes: WRITE }.flat_map do |kind, category|
          Kinds::OF.fetch(kind).map { |name| [name, category] }
        end.to_h.freeze
        TEXT = %w[marker-chart marker-table].freeze
        FIELDS = { call: { path: %w[Path file-path], to: %w[To file-path], error: %w[Error string],
                           fd: %w[Descriptor integer], bytes: %w[Bytes integer], group: %w[Group string] },
                   exception: { class: %w[Class string], depth: ["Depth of the stack", "integer"],
                                group: %w[Group string] } }.freeze
        private_constant :TEXT, :FIELDS

        # @param recording [Recording]
        # @param _findings [Array<Finding>] not used: the format has no place for them
        # @param started_at [Float] milliseconds since 1970: when the run began
        # @return [String] one JSON document
        def self.of(recording, _findings = [], started_at: nil)
          "#{::JSON.generate(new(recording, started_at).to_h)}\n"
        end

        def initialize(recording, started_at)
          @recording = recording
          @start = [recording.processes.first&.started, recording.calls.first&.time].compact.min || 0
          @started_at = started_at || ago(@start)
          @tables = Tables.new
          @images = recording.processes.group_by(&:pid)
        end

        # @return [Hash] the document
        def to_h
          threads = EventThread.of(@recording).map { |thread| thread(thread) }
          { meta: meta, libs: [], shared: @tables.to_h, threads: threads }
        end

        private

        # Converts a time of the monotonic clock to one of the calendar.
        def ago(time)
          now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
          Process.clock_gettime(Process::CLOCK_REALTIME, :float_millisecond) - (now - time) / 1_000_000.0
        end

        def meta
          { version: GECKO_VERSION, preprocessedProfileVersion: VERSION, interval: 1, startTime: @started_at,
            processType: 0, product: Words.visible(Readable.command(@recording.command)), stackwalk: 1,
            importedFrom: "frugal", symbolicated: true, symbolicationNotSupported: true, usesOnlyOneStackType: true,
            sourceCodeIsNotOnSearchfox: true, keepProfileThreadOrder: true, markerSchema: marker_schema,
            sampleUnits: { time: "ms", eventDelay: "ms", threadCPUDelta: "µs" },
            categories: CATEGORIES.map { |name, color| { name: name, color: color, subcategories: ["Other"] } } }
        end

        def marker_schema
          [{ name: "FileCall", tooltipLabel: "{marker.name}", chartLabel: "{marker.data.path}",
             tableLabel: "{marker.data.path} {marker.data.error}", display: [*TEXT, "timeline-fileio"],
             fields: fields(:call) },
           { name: "Exception", tooltipLabel: "{marker.data.class}", tableLabel: "depth {marker.data.depth}",
             display: [*TEXT, "timeline-overview"], fields: fields(:exception) }]
        end

        def fields(kind) = FIELDS.fetch(kind).map { |key, (label, format)| { key: key, label: label, format: format } }

        # A process that called exec has two records; the format requires a different pid for each.
        def pid(process)
          image = @images.fetch(process.pid).index { |one| one.equal?(process) }
          image.zero? ? process.pid.to_s : "#{process.pid}, exec #{image}"
        end

        def thread(thread)
          events = Events.new(thread, @tables, @start)
          began = events.at(thread.process.started)
          { processType: "default", processName: thread.program, processStartupTime: began, processShutdownTime: nil,
            registerTime: began, unregisterTime: events.finish, pausedRanges: [], showMarkersInTimeline: true,
            name: thread.name, isMainThread: thread.main?, pid: pid(thread.process), tid: thread.id,
            samples: events.samples, markers: events.markers }
        end
      end
    end
  end
end

require_relative "firefox/tables"
require_relative "firefox/events"
