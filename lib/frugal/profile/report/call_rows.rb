# frozen_string_literal: true

module Frugal
  module Profile
    module Report
      # The calls of a recording, added up by pid, function, paths, error and line.
      #
      # *Cost*: about 1 µs for each call. Each level is a separate Hash, so no key is allocated for a call.
      class CallRows
        # `process` is the first {ProcessRecord} with the pid, `site` a {Frame} or nil, `time` in nanoseconds.
        Row = Struct.new(:process, :call, :path, :to, :error, :site, :count, :time) do
          # @return [String, nil]
          def file = site&.file

          # @return [Integer, nil]
          def line = site&.line

          # @return [Integer] how many of the calls failed
          def failed = error ? count : 0
        end

        # @param calls [Array<Call>]
        # @return [Array<Row>] in the order of {.groups}
        def self.of(calls) = groups(calls).flatten(1)

        # @param calls [Array<Call>]
        # @return [Array<Array<Row>>] the rows that differ only in their paths, count and time
        def self.groups(calls) = new.add(calls).groups

        def initialize
          @sites = {}.compare_by_identity
          @places = {}
          @pids = level { level(by_identity: true) { level { level { {} } } } }
          @tables = Hash.new { |tables, process| tables[process] = @pids[process.pid] }.compare_by_identity
        end

        # @param calls [Array<Call>]
        # @return [self]
        def add(calls)
          calls.each do |call|
            row = row(call)
            row.count += 1
            row.time += call.taken
          end
          self
        end

        # @return [Array<Array<Row>>] the groups of one pid and line are neighbours
        def groups
          names = @pids.each_value.flat_map { |sites| sites.each_value.flat_map(&:values) }
          names.flat_map { |errors| errors.each_value.map(&:values) }
        end

        private

        def level(by_identity: false, &inner)
          table = Hash.new { |hash, key| hash[key] = inner.call }
          by_identity ? table.compare_by_identity : table
        end

        def row(call)
          site = site(call.stack)
          paths = @tables[call.process][site][call.name][call.error]
          key = call.to ? [call.path, call.to] : call.path
          paths[key] ||= Row.new(call.process, call.name, call.path, call.to, call.error, site, 0, 0)
        end

        # @return [Frame, nil] the same object for the same file and line
        def site(stack)
          @sites.fetch(stack) do
            site = stack.site
            @sites[stack] = site && (@places[site.to_s] ||= site)
          end
        end
      end
    end
  end
end
