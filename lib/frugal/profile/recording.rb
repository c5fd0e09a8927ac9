# frozen_string_literal: true

require_relative "events"
require_relative "kinds"
require_relative "tasks"

module Frugal
  module Profile
    # A finished run, with all events that its processes recorded. The reports and the analyzer read it.
    class Recording
      # @return [Array<String>]
      attr_reader :command
      # @return [Process::Status, nil] of the command
      attr_reader :status
      # @return [Integer] microseconds
      attr_reader :wall_us, :cpu_us
      # @return [Array<ProcessRecord>] in the order of their start
      attr_reader :processes
      # @return [Array<Call>] of all processes, in the order of time
      attr_reader :calls
      # @return [Array<Call>] the calls and the {Kinds::PROBES}, in the order of time
      attr_reader :events
      # @return [Array<Raise>] of all processes, in the order of time
      attr_reader :raises
      # @return [Hash{String => Integer}] group ({Call}#group) → how often a route was requested, or how many examples a
      #   file has; empty without an agent
      attr_reader :runs
      # @return [Array<String>] sentences for the reports about events that could not be recorded, with reasons
      attr_reader :notes
      # @return [Symbol] the recorder that was used, one of {Recorders::NAMES}
      attr_reader :recorder

      # @return [Hash{ProcessRecord => Array<Array(String, String)>}] by identity: the directory and the text of each
      #   declaration that agents/task.rb wrote; only processes with declarations
      attr_reader :declarations

      # @return [Boolean] whether all waits of the threads are recorded, see {Findings::Actor}
      def waits? = @waits

      # @param command [Array<String>]
      # @param processes [Array<ProcessRecord>]
      # @param calls [Array<Call>] with the {Kinds::PROBES}, in any order
      # @param raises [Array<Raise>] in any order
      def initialize(command:, processes:, calls:, raises:, status: nil, wall_us: 0, cpu_us: 0, runs: {},
                     notes: [], declarations: {}, recorder: :native, waits: true)
        @command = command
        @status = status
        @wall_us = wall_us
        @cpu_us = cpu_us
        @processes = processes.sort_by(&:started)
        @events = calls.sort_by(&:time)
        @calls = @events.reject { |event| Kinds::PROBES.include?(event.name) }
        @raises = raises.sort_by(&:time)
        @runs = runs
        @notes = notes
        @recorder = recorder
        @waits = waits
        @declarations = {}.compare_by_identity.merge!(declarations)
      end

      # @return [Hash{Symbol => Integer}] +:calls+, +:stats+, +:opens+, +:reads+, +:writes+ and +:exceptions+; also
      #   events that did not fit into the log
      def counts = @counts ||= Kinds.totals(by_name)

      # @return [Hash{Symbol => Integer}] calls of all processes by the name of the function, and exceptions as +:raise+
      def by_name = processes.map(&:counts).reduce({}) { |all, one| all.merge(one) { |_, a, b| a + b } }

      # @return [Array<Tasks::Undeclared>] the files that tasks of Rake read or wrote without declaring them
      def undeclared = @undeclared ||= Tasks.undeclared(self)

      # @return [Integer] how many events did not fit into the logs
      def dropped = processes.sum(&:dropped)
    end
  end
end
