# frozen_string_literal: true

require_relative "ruby_events"

# Loaded into each Ruby process of a program by {StandIns}: writes its events to a file when it ends.
if (folder = ENV["FRUGAL_TEST_EVENTS"])
  events = []
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
  at_exit do
    record = [Process.pid, Process.ppid, [$PROGRAM_NAME, *ARGV], started, events]
    File.binwrite(File.join(folder, Process.pid.to_s), Marshal.dump(record))
  end
  RubyEvents.watch { |event| events << event }.enable
end
