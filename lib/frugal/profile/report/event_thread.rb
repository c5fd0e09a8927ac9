# frozen_string_literal: true

require_relative "words"
require_relative "../recording"

module Frugal
  module Profile
    module Report
      # process:: {ProcessRecord}
      # id:: Integer, of the thread
      # calls, raises:: Arrays, in the order of time
      EventThread = Struct.new(:process, :id, :calls, :raises) do
        # @return [Boolean] whether it is the first thread of its process
        def main? = id == process.pid

        # @return [String] such as "rake -s (100)" or "rake -s (100), thread 105"
        def name = "#{program} (#{process.pid})#{", thread #{id}" unless main?}"

        # @return [String] the command of the process
        def program = Words.visible(process.argv.map(&:b).join(" "))[0, EventThread::PROGRAM]
      end

      # The events of one thread, for the formats that show one thread after the other.
      class EventThread
        PROGRAM = 80 # characters of a command

        # @param recording [Recording]
        # @return [Array<EventThread>] one for each thread with an event, in the order of the processes
        def self.of(recording)
          threads = Hash.new do |all, process|
            all[process] = Hash.new { |of_process, id| of_process[id] = new(process, id, [], []) }
          end.compare_by_identity
          recording.calls.each { |call| threads[call.process][call.thread].calls << call }
          recording.raises.each { |raised| threads[raised.process][raised.thread].raises << raised }
          recording.processes.flat_map do |process|
            threads.fetch(process, {}).values.sort_by { |thread| [thread.main? ? 0 : 1, thread.id] }
          end
        end
      end
    end
  end
end
