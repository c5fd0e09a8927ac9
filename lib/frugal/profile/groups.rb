# frozen_string_literal: true

require_relative "recording"

module Frugal
  module Profile
    # The calls and exceptions of a recording by route, by source file or by process.
    #
    #   Groups.of(recording, :file).first   # => #<struct … name="/app/Rakefile", counts={ calls: 812, … }>
    module Groups
      # `name` is nil for what belongs to no group: outside of a request, or outside of Ruby. `counts` has the keys of
      # {Recording#counts}.
      Group = Struct.new(:name, :counts)

      # What an event is grouped by.
      KEYS = {
        route: :group.to_proc,
        file: ->(event) { event.site&.file },
        process: ->(event) { event.process.pid }
      }.freeze
      private_constant :KEYS

      class << self
        # *Cost*: no system call; two passes over the events.
        #
        # @param recording [Recording]
        # @param by [Symbol] `:route`, `:file` or `:process`
        # @return [Array<Group>] the one with most calls and exceptions first. Events for which there was no room are
        #   not in them
        def of(recording, by)
          counts = Hash.new { |all, key| all[key] = empty }
          recording.calls.each { |call| add(counts[KEYS.fetch(by).call(call)], call.name) }
          recording.raises.each { |event| counts[KEYS.fetch(by).call(event)][:exceptions] += 1 }
          groups = counts.map { |key, numbers| Group.new(name(recording, by, key), numbers) }
          groups.sort_by { |group| [-group.counts[:calls] - group.counts[:exceptions], group.name.to_s] }
        end

        private

        def empty = { calls: 0, **Kinds::OF.transform_values { 0 }, exceptions: 0 }

        def add(numbers, name)
          numbers[:calls] += 1
          Kinds::OF.each { |kind, names| numbers[kind] += 1 if names.include?(name) }
        end

        # A process executes several programs, one after the other: the last one names it.
        def name(recording, by, key)
          return key unless by == :process

          [key, *recording.processes.reverse.find { |process| process.pid == key }&.argv].join(" ")
        end
      end
    end
  end
end
