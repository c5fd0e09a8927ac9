# frozen_string_literal: true

require_relative "declarations"

module Frugal
  module Profile
    module Tasks
      # Finds the task that made a call: the task whose action the thread executes, or whose action started the process.
      class Workers
        GROUP = /\Arake (\d+) (\d+) /n
        private_constant :GROUP

        # @return [Hash{ProcessRecord => Declarations}] by identity
        attr_reader :declarations

        # @param recording [Recording]
        def initialize(recording)
          @images = recording.processes.group_by(&:pid)
          @starts = starts(recording.calls)
          @declarations = recording.declarations.to_h { |process, texts| [process, Declarations.new(process, texts)] }
                                   .compare_by_identity
          @tasks = Hash.new { |all, group| all[group] = task(group) }
          @declarations.each { |process, declarations| declarations.nest(@tasks[start(process)&.group]) }
        end

        # @param call [Call]
        # @return [Task, nil]
        def of(call) = @tasks[call.group]

        # @param process [ProcessRecord]
        # @return [Stack] the stack of the line that started it, or else that started the process before it; without
        #   frames if there is none
        def origin(process)
          start = start(process)
          return start.stack if start&.stack&.site

          before = start ? start.process : parent(process)
          before && !before.equal?(process) ? origin(before) : Stack::EMPTY
        end

        private

        # @return [Hash{Integer => Array<Call>}] the pid of a process => the calls that started it, in the order of time
        def starts(calls)
          calls.each_with_object({}) do |call, starts|
            case call.name
            when :exec then pid = call.process.pid
            when :fork, :spawn then pid = call.bytes
            else next
            end
            (starts[pid] ||= []) << call unless call.error
          end
        end

        def start(process)
          return unless image?(process)

          @starts.fetch(process.pid, []).reverse_each.find do |call|
            call.time <= process.started && !call.process.equal?(process)
          end
        end

        # A child of vfork writes into the log of its parent, and is not an image.
        def image?(process) = @images.fetch(process.pid, []).any? { |image| image.equal?(process) }

        # @return [ProcessRecord, nil]
        def parent(process)
          @images.fetch(process.ppid, []).reverse_each.find { |image| image.started <= process.started }
        end

        # @param group [String, nil] see agents/task.rb
        def task(group)
          pid, number = group&.b&.match(GROUP)&.captures
          owner = @images.fetch(pid.to_i, []).filter_map { |image| @declarations[image] }.last
          owner && owner.tasks[number.to_i]
        end
      end
    end
  end
end
