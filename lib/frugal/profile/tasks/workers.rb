# frozen_string_literal: true

require_relative "declarations"

module Frugal
  module Profile
    module Tasks
      # Which task made a call: the one whose action the thread executes; in a process without tasks of its own, the
      # one whose action started it.
      class Workers
        GROUP = /\Arake (\d+) /n
        private_constant :GROUP

        # @return [Hash{ProcessRecord => Declarations}] by identity
        attr_reader :declarations

        # @param recording [Recording]
        def initialize(recording)
          @images = recording.processes.group_by(&:pid)
          @starts = starts(recording.calls)
          @declarations = recording.declarations.to_h { |process, texts| [process, Declarations.new(process, texts)] }
                                   .compare_by_identity
          @groups = Hash.new { |all, process| all[process] = {} }.compare_by_identity
          @defaults = {}.compare_by_identity
          @declarations.each { |process, declarations| declarations.nest(default(process)) }
        end

        # @param call [Call]
        # @return [Task, nil]
        def of(call) = call.group ? task(call.process, call.group) : default(call.process)

        # @param process [ProcessRecord]
        # @return [Stack] of the line that started it, or started the one that did; without frames if there is none
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

        # A child of vfork writes into the log of its parent, and is no image of its own.
        def image?(process) = @images.fetch(process.pid, []).any? { |image| image.equal?(process) }

        # @return [ProcessRecord, nil]
        def parent(process)
          @images.fetch(process.ppid, []).reverse_each.find { |image| image.started <= process.started }
        end

        def task(process, group)
          @groups[process].fetch(group) do
            number = group.b[GROUP, 1]
            owner = @declarations[process] || @declarations[parent(process)]
            @groups[process][group] = number && owner&.tasks&.[](number.to_i)
          end
        end

        def default(process)
          @defaults.fetch(process) do
            @defaults[process] = nil
            start = start(process)
            before = start ? start.process : parent(process)
            @defaults[process] = start&.group ? task(start.process, start.group) : (default(before) if before)
          end
        end
      end
    end
  end
end
