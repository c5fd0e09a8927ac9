# frozen_string_literal: true

require_relative "script"

module Frugal
  class Store
    module Redis
      # Reads the keys of a store, or all its values, as they are at one moment. It reads some
      # thousand roots at a time, so the server can do other work in between. If others write
      # meanwhile, it begins again; the last attempt reads all at once.
      #
      #   Listing.new(connection, names).read("places", nil)   # => [clock, version of the set, [[key, header], …]]
      class Listing
        PAGE = 5_000
        PASSES = 3
        EVERYTHING = [["-", "+"]].freeze
        private_constant :PAGE, :PASSES, :EVERYTHING

        # @param connection [Connection]
        # @param names [Names]
        def initialize(connection, names)
          @connection = connection
          @names = names
        end

        # @param what [String] see {Script::LIST}
        # @param ranges [Array<Array(String, String)>, nil] see {RootKey.ranges}
        # @return [Array(String, String, Array)] the clock, the version of the set of keys, and pairs, sorted by key
        #   instead of the order in which the roots were added
        def read(what, ranges)
          bounds = ranges&.map { |first, after| ["[#{first}".b, "(#{after}".b] } || EVERYTHING
          found = nil
          PASSES.times { found ||= pass(what, bounds, PAGE) }
          found || pass(what, bounds, -1)
        end

        private

        # @return [Array, nil] nil if the list has changed between two pages
        def pass(what, bounds, limit)
          pages = []
          loop do
            clock, set, read, last, found = page(what, bounds, limit)
            return unless pages.empty? || same?(what, pages.last, [clock, set])

            pages << [clock, set, found]
            break if read != limit

            bounds = behind(bounds, last.b)
          end
          [*pages.last.first(2), pages.flat_map { |_, _, found| found.each_slice(2).to_a }]
        end

        def page(what, bounds, limit)
          @connection.run(Script::LIST, [@names.clock, @names.keys, @names.index],
                          [@names.roots, what, limit, *bounds.flatten])
        end

        # Whether nothing has changed between two pages. Places are constant until a root is added or deleted. A server
        # without memory may have no clock.
        def same?(what, before, now)
          what == "values" ? before.first == now.first && now.first != "" : before[1] == now[1]
        end

        def behind(bounds, last)
          bounds.reject { |_, after| after != "+" && last >= after.byteslice(1..) }
                .map { |first, after| [last >= first.byteslice(1..).to_s ? "(#{last}".b : first, after] }
        end
      end
    end
  end
end
