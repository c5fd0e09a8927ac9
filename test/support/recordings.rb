# frozen_string_literal: true

require "frugal/profile/recording"

# Builds recordings for tests.
#
#   recording([[:stat, "/app/a.rb", 3], [:raise, nil, nil]])
module Recordings
  PROFILE = Frugal::Profile

  # @param events [Array<Array(Symbol, String, Integer)>] name, file and line; the fourth member may be the group
  # @param status [Process::Status, nil]
  # @param runs [Hash{String => Integer}] group → requests or examples
  # @param unrecorded [Hash{Symbol => Integer}] by name: events for which there was no room
  # @return [Frugal::Profile::Recording]
  def recording(events, status: nil, unrecorded: {}, runs: {}, pid: 7, argv: %w[ruby a.rb])
    counts = events.map(&:first).tally.merge(unrecorded) { |_, known, more| known + more }
    process = PROFILE::ProcessRecord.new(pid, 1, argv, "3.1.2", 0, unrecorded.values.sum, counts)
    raises, calls = events.map { |event| event(process, *event) }.partition { |event| event.is_a?(PROFILE::Raise) }
    PROFILE::Recording.new(command: argv, processes: [process], calls: calls, raises: raises, status: status, runs: runs)
  end

  private

  def event(process, name, file, line, group = nil)
    stack = file ? PROFILE::Stack.new([PROFILE::Frame.new(file, line, "work")]) : PROFILE::Stack::EMPTY
    return PROFILE::Raise.new(process, 1, 0, "KeyError", [], nil, stack, 3, group) if name == :raise

    PROFILE::Call.new(process, 1, 0, 100, name, nil, "/x", nil, nil, 0, 0, 0, stack, group)
  end
end
