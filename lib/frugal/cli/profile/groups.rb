# frozen_string_literal: true

require_relative "../observed"
require_relative "../../profile/groups"
require_relative "../../compare/units"

module Frugal
  module CLI
    module Profile
      # `frugal profile --by`: the counts of each route, source file or process, as a table.
      module Groups
        MOST = 20 # rows
        NOWHERE = { route: "outside of requests", file: "outside of Ruby" }.freeze
        private_constant :MOST, :NOWHERE

        class << self
          # @param recording [Frugal::Profile::Recording]
          # @param kind [Symbol] :route, :file or :process
          # @return [String]
          def of(recording, kind)
            groups = Frugal::Profile::Groups.of(recording, kind)
            return "by #{kind}: nothing was recorded\n" if groups.empty?

            table(kind, groups.first(MOST)) + rest(groups.size - MOST)
          end

          private

          def table(kind, groups)
            names = groups.first.counts.keys
            rows = [[*names.map(&:to_s), kind.to_s], *groups.map { |group| [*numbers(group), name(group, kind)] }]
            widths = rows.transpose.map { |column| column.map(&:size).max }
            rows.map { |*cells, name| "#{aligned(cells, widths)}   #{name}\n" }.join
          end

          def numbers(group) = group.counts.each_value.map { |number| Frugal::Compare::Units.count(number) }

          def aligned(cells, widths) = cells.zip(widths).map { |cell, width| cell.rjust(width) }.join("   ")

          def name(group, kind)
            return NOWHERE.fetch(kind) unless group.name

            Observed.visible(group.name.delete_prefix("#{Dir.pwd}/"))
          end

          def rest(number) = number.positive? ? "and #{number} more\n" : ""
        end
      end
    end
  end
end
