# frozen_string_literal: true

require_relative "../support/clock"
require_relative "../../lib/frugal/profile"

module Frugal
  module ProfileBench
    MeasuredReport = Struct.new(:calls, :reading, :analysis, :terminal, :json, keyword_init: true)

    # The processor time that the parts of a report take, in seconds, and of how many calls it is.
    class MeasuredReport
      PER = 100_000 # calls
      private_constant :PER

      # @param folder [String] with the logs of a run
      # @param command [Array<String>]
      # @yieldparam step [String]
      # @return [MeasuredReport]
      def self.of(folder, command)
        recording = findings = nil
        model = Profile::CostModel.calibrate
        yield "report"
        reading = Bench::Clock.cpu_seconds { recording = read(folder, command) }
        analysis = Bench::Clock.cpu_seconds { findings = Profile::Analyzer.new(recording, model).findings }
        terminal = Bench::Clock.cpu_seconds { Profile::Report::Terminal.of(recording, findings) }
        json = Bench::Clock.cpu_seconds { Profile::Report::JSON.of(recording, findings) }
        new(calls: recording.calls.size, reading: reading, analysis: analysis, terminal: terminal, json: json)
      end

      def self.read(folder, command)
        logs = Dir.children(folder).filter_map { |name| Profile::Log.load(File.join(folder, name)) }
        Profile::Recording.new(command: command, processes: logs.map(&:process), calls: logs.flat_map(&:calls),
                               raises: logs.flat_map(&:raises))
      end
      private_class_method :read

      # @return [Float] per 100,000 calls
      def milliseconds = (reading + analysis + terminal + json) * 1000 * PER / calls
    end
  end
end
