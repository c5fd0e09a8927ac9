# frozen_string_literal: true

require "frugal/native"
require_relative "ruby_events"

# As the recorder in this process, where it is not compiled; see {RubyEvents} for what it sees.
module RecorderStandIn
  class << self
    def attach = true

    def measure(&block)
      events = []
      trace = RubyEvents.watch { |event| events << event }
      value = trace.enable(target_thread: Thread.current, &block)
      [events.map(&:first).tally, events, value]
    end
  end
end

recorder = "#{__dir__}/../../lib/frugal/native/#{Frugal::Native::ABI}/recorder.so"
Frugal.const_set(:Recorder, RecorderStandIn) unless defined?(Frugal::Recorder) || File.exist?(recorder)
