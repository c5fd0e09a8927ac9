# frozen_string_literal: true

require_relative "finder"
require_relative "open_file"

module Frugal
  module Profile
    module Findings
      # Folders that a thread lists again, although the names that it found still hold. After a wait, a listing is a
      # freshness check, as any question is: see {Questions}.
      class RepeatedListing < Finder
        FIX = "List each folder once, and keep the names."
        ASSUMPTION = "the names were the same, which this recorder does not compare"
        private_constant :FIX, :ASSUMPTION

        # The listings of one place: listings:: Array<OpenFile>, those that repeat `earlier` ones; total:: Integer, how
        # many there were.
        Listings = Struct.new(:place, :listings, :earlier, :total)
        private_constant :Listings

        # @param context [Context]
        def initialize(context)
          super
          @groups = Hash.new { |all, place| all[place] = Listings.new(place, [], [], 0) }.compare_by_identity
        end

        # Called by the {Timeline}.
        def closed(open_file)
          return unless OpenFile.directory?(open_file.open) && open_file.listed? && !open_file.node.pseudo?

          group = @groups[open_file.facts.place]
          group.total += 1
          known = open_file.actor.readings
          previous = known[open_file.node]
          known[open_file.node] = open_file
          repeated(previous, open_file, group) if previous && same?(previous, open_file)
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @groups.values.reject { |group| group.listings.empty? }.map do |group|
            calls = group.listings.flat_map(&:calls)
            finding(:repeated_listing, group.place, calls, claims,
                    fix: FIX, fail_rate: nil, saved: savings.listings(calls),
                    known_from: known_from(group.place, group.earlier),
                    assumption: assumption(group.listings), message: message(group, calls))
          end
        end

        private

        def same?(previous, open_file) = previous.names == open_file.names && unchanged_since?(previous, open_file)

        def assumption(listings)
          assumptions = [*(ASSUMPTION if listings.any? { |listing| listing.names.nil? }), *held]
          assumptions.join(", and ") if assumptions.any?
        end

        def repeated(previous, open_file, group)
          if open_file.waited_since?(previous.open)
            @context.questions.fresh(open_file.open, open_file.actor, group.place)
          else
            group.listings << open_file
            group.earlier << previous.open
          end
        end

        def message(group, calls)
          folders = group.listings.map { |listing| listing.node.path }.uniq.size
          "#{Prose.number(group.listings.size)} of #{Prose.some(group.total, "listing")} repeat one of the same " \
            "folder (#{Prose.some(folders, "folder")}, #{Prose.some(calls.size, "call")}): #{Prose::HELD}"
        end
      end
    end
  end
end
