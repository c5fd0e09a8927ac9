# frozen_string_literal: true

require_relative "../observed"
require_relative "../../profile/groups"
require_relative "../../profile/origins"
require_relative "../../profile/report/words"
require_relative "../../readable"

module Frugal
  module CLI
    module Profile
      # `frugal profile --by`: the counts of each route, example file, source file or process, as a table; below it the
      # findings of each route or example file.
      module Groups
        MOST = 20 # rows
        MOST_FINDINGS = 3 # of a row
        NOWHERE = { route: "outside of requests", example: "outside of examples", file: "outside of Ruby" }.freeze
        # The name of one run of a group.
        RUN = { route: "request", example: "example" }.freeze
        private_constant :MOST, :MOST_FINDINGS, :NOWHERE, :RUN

        class << self
          # @param recording [Frugal::Profile::Recording]
          # @param kind [Symbol] :route, :example, :file or :process
          # @param findings [Array<Frugal::Profile::Finding>]
          # @return [String]
          def of(recording, kind, findings = [])
            groups = Frugal::Profile::Groups.of(recording, kind)
            return "by #{kind}: nothing was recorded\n" if groups.empty?

            shown = groups.first(MOST)
            waste = findings.select { |finding| finding.waste? && !finding.ignored }
            table(kind, shown) + rest(groups.size - MOST) + wastes(kind, shown, waste)
          end

          private

          def table(kind, groups)
            rows = [[*headings(kind, groups), kind.to_s],
                    *groups.map { |group| [*runs(group, kind), *numbers(group), name(group, kind)] }]
            widths = rows.transpose.map { |column| column.map(&:size).max }
            rows.map { |*cells, name| "#{aligned(cells, widths)}   #{name}\n" }.join
          end

          def headings(kind, groups)
            run = RUN[kind]
            [*(["#{run}s", "calls/#{run}", "exceptions/#{run}"] if run), *groups.first.counts.keys.map(&:to_s)]
          end

          def runs(group, kind)
            return [] unless RUN.key?(kind)
            return ["-"] * 3 unless group.runs

            [count(group.runs), *%i[calls exceptions].map { |counted| format("%.1f", group.each(counted)) }]
          end

          def numbers(group) = group.counts.each_value.map { |number| count(number) }

          def count(number) = Frugal::Readable.count(number)

          def aligned(cells, widths) = cells.zip(widths).map { |cell, width| cell.rjust(width) }.join("   ")

          def name(group, kind) = group.name ? visible(group.name) : NOWHERE.fetch(kind)

          def visible(name) = Observed.visible(name.delete_prefix("#{Frugal::Profile::Origins.here}/"))

          def rest(number) = number.positive? ? "and #{number} more\n" : ""

          def wastes(kind, groups, findings)
            return "" unless RUN.key?(kind)

            origins = Frugal::Profile::Origins.new
            lists = groups.filter_map { |group| waste(group, kind, findings, origins) }
            lists.empty? ? "" : "\nfindings by #{kind}\n#{lists.join}"
          end

          # @return [String, nil]
          def waste(group, kind, findings, origins)
            own = findings.select { |finding| finding.groups&.key?(group.name) }
                          .sort_by.with_index { |finding, index| [-finding.groups[group.name], index] }
            return if own.empty?

            lines = own.first(MOST_FINDINGS).map do |finding|
              "  #{line(finding, finding.groups[group.name], origins)}\n"
            end
            "#{name(group, kind)}\n#{lines.join}#{"  #{rest(own.size - MOST_FINDINGS)}" if own.size > MOST_FINDINGS}"
          end

          # @param number [Integer] the finding's calls or exceptions that belong to the group
          def line(finding, number, origins)
            place = Frugal::Profile::Report::Words.path(finding, origins)
            "#{count(number)} of #{count(finding.count)}   #{place}: #{Frugal::Profile::Report::Words.kind(finding.kind)}"
          end
        end
      end
    end
  end
end
