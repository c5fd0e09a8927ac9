# frozen_string_literal: true

require_relative "paths"

module Frugal
  module Profile
    module Findings
      # The state of one thread of a process. An answer counts as known only in the thread that asked.
      class Actor
        # @return [ProcessRecord]
        attr_reader :process
        # @return [Hash{Integer => OpenFile}] the open files of the process, by descriptor
        attr_reader :open_files
        # @return [Hash{Node => Call}] checks whose path was not used yet, see {CheckThenUse}
        attr_reader :checks
        # @return [Hash{Node => OpenFile}] the last complete reading of each file, see {RedundantCall}; the last listing
        #   of each folder, see {RepeatedListing}
        attr_reader :readings
        # @return [Hash{Integer => NeedlessDigest::Digested}] digests by their hash, see {NeedlessDigest}
        attr_reader :digests
        # @return [Integer] nanoseconds: the beginning of the last wait. What the thread learned before it may be out of
        #   date: a question that it repeats checks whether something has changed
        attr_reader :waited_at
        # @return [Call, nil] the last failed call with a path; nil once an exception was linked to it
        attr_accessor :failure
        # @return [Node, nil] the path of the last question; of the last read
        attr_accessor :asked, :read
        # @return [Integer] nanoseconds: the end of the last write
        attr_accessor :wrote_at

        # @param process [ProcessRecord]
        # @param open_files [Hash{Integer => OpenFile}] the open files of the process
        def initialize(process, open_files)
          @process = process
          @open_files = open_files
          @answers = Hash.new { |all, question| all[question] = {}.compare_by_identity }
          @checks = {}.compare_by_identity
          @readings = {}.compare_by_identity
          @digests = {}
          @waited_at = @wrote_at = Node::NEVER
        end

        # @param question [Integer] see {Questions}
        # @return [Hash{Node => Call}] by path, the last call that asked the question
        def answers(question) = @answers[question]

        # @param call [Call] of the kind `wait`
        def wait(call) = @waited_at = call.time

        # @param call [Call] an earlier one of this thread
        # @return [Boolean] whether the thread has waited since
        def waited_since?(call) = call.time < @waited_at

        # @param call [Call] which has ended
        def finish(call)
          @failure = call if call.error && call.path
        end
      end

      # The threads of all processes.
      class Actors
        def initialize
          @processes = {}.compare_by_identity
        end

        # @param event [Call, Raise]
        # @return [Actor]
        def of(event)
          process = event.process
          return @last if @last_thread == event.thread && @last_process.equal?(process)

          @last_process = process
          @last_thread = event.thread
          @last = threads(process)[event.thread]
        end

        private

        def threads(process)
          @processes[process] ||= begin
            open_files = {}
            Hash.new { |all, thread| all[thread] = Actor.new(process, open_files) }
          end
        end
      end
    end
  end
end
