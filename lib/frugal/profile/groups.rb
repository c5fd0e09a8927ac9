# frozen_string_literal: true

require_relative "recording"

module Frugal
  module Profile
    # The calls and exceptions of a recording by route, by file of examples, by source file or by process.
    #
    #   Groups.of(recording, :file).first   # => #<struct … name="/app/Rakefile", counts={ calls: 812, … }>
    module Groups
      # `name` is nil for events that belong to no group: outside of a request, or outside of Ruby. `counts` has the
      # keys of {Recording#counts}. `runs` is how often the route was requested, or how many examples the file has; nil
      # if that is unknown.
      Group = Struct.new(:name, :counts, :runs) do
        # @param counted [Symbol] a key of `counts`
        # @return [Float, nil] the count for each request or example; nil if `runs` is unknown
        def each(counted) = runs && counts.fetch(counted).fdiv(runs)

        # @return [Integer]
        def events = counts[:calls] + counts[:exceptions]

        # @return [Numeric] calls and exceptions for each request
        def each_events = runs ? events.fdiv(runs) : 0
      end

      # The functions that return the group of an event.
      KEYS = {
        route: :group.to_proc,
        example: :group.to_proc,
        file: ->(event) { event.site&.file },
        process: ->(event) { event.process.pid }
      }.freeze
      # The groups that an agent names.
      NAMED = %i[route example].freeze
      private_constant :KEYS

      class << self
        # *Cost*: no system call; two passes over the events.
        #
        # @param recording [Recording]
        # @param by [Symbol] `:route`, `:example`, `:file` or `:process`
        # @return [Array<Group>] the group with most calls and exceptions first; for routes, with most of them for each
        #   request. The events that belong to no route or example are last. Events that did not fit into the log are
        #   not counted
        def of(recording, by)
          counts = counts(recording, KEYS.fetch(by))
          recording.runs.each_key { |name| counts[name] } if NAMED.include?(by)
          groups = counts.map { |key, by_name| group(recording, by, key, by_name) }
          groups.sort_by { |group| [*order(group, by), -group.events, group.name.to_s] }
        end

        private

        def counts(recording, key)
          counts = Hash.new { |all, name| all[name] = Hash.new(0) }
          recording.calls.each { |call| counts[key.call(call)][call.name] += 1 }
          recording.raises.each { |event| counts[key.call(event)][:raise] += 1 }
          counts
        end

        def group(recording, by, key, by_name)
          numbers = Kinds.totals(by_name)
          return Group.new(key, numbers, recording.runs[key]) if NAMED.include?(by)

          Group.new(by == :process ? process(recording, key) : key, numbers)
        end

        # A process may execute several programs, one after the other: the last one gives its name.
        def process(recording, pid)
          [pid, *recording.processes.reverse.find { |process| process.pid == pid }&.argv].join(" ")
        end

        def order(group, by)
          return [] unless NAMED.include?(by)

          [group.name ? 0 : 1, by == :route ? -group.each_events : 0]
        end
      end
    end
  end
end
