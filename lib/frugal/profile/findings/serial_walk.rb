# frozen_string_literal: true

require_relative "finder"
require_relative "open_file"

module Frugal
  module Profile
    module Findings
      # A tree of directories that one method lists on one thread, often with an lstat for each entry, although the
      # listing contains its type.
      class SerialWalk < Finder
        OPENS = %i[opendir open openat].freeze
        READING = %i[readdir getdents64 closedir].freeze
        ENTRIES = %i[lstat stat fstatat statx].freeze
        NAMES = (OPENS + READING + ENTRIES).freeze
        RECURSIVE = 0.5 # the share of the directories that lie in another directory of the walk
        # The share of the listings' time that a walk on all threads saves, at least: 0.54 in bench/results/links.
        SAVED_OF_LISTINGS = 0.45
        PROCESSORS = "other processors are free while it lists"
        PATTERN = "the drop-in answers the pattern"
        TYPES = "only the types of the entries are needed"
        GLOBS = ["glob", "[]"].freeze
        FIX = "Use Frugal.walk(root), which lists on several threads and asks for no type that the listing tells."
        private_constant :OPENS, :READING, :ENTRIES, :RECURSIVE, :SAVED_OF_LISTINGS, :PROCESSORS, :PATTERN, :TYPES,
                         :GLOBS, :FIX

        # The directories that one method lists.
        Walk = Struct.new(:actor, :directories, :listings, :entries, :asked, :places, :serial, :question) do
          # @return [Boolean] whether it lists directories that it has found itself
          def recursive?
            directories.each_key.count { |node| node.parent && directories.key?(node.parent) } >=
              directories.size * RECURSIVE
          end

          # @return [Place] the line that opens most directories
          def place = places.max_by(&:last).first
        end

        # @param context [Context]
        def initialize(context)
          super
          @walks = []
        end

        # Called by the {Timeline}.
        def call(call, node, actor, facts)
          return open(call, node, actor, facts) if OpenFile.directory?(call)

          walk = facts.scope.walk
          return unless walk && node && !OPENS.include?(call.name)

          add(walk, call, node)
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @walks.select { |walk| walk.serial && walk.recursive? }.filter_map { |walk| serial(walk, claims) }
        end

        private

        def open(call, node, actor, facts)
          return if call.error || node.nil?

          walk = facts.scope.walk ||= start(actor, facts)
          walk.serial = false unless walk.actor.equal?(actor)
          walk.directories[node] = true
          walk.listings << call
          walk.places[facts.place] += 1
        end

        def start(actor, facts)
          walk = Walk.new(actor, {}.compare_by_identity, [], [], {}.compare_by_identity,
                          Hash.new(0).compare_by_identity, true, facts.question)
          @walks << walk
          walk
        end

        def add(walk, call, node)
          if READING.include?(call.name) then walk.listings << call
          elsif walk.directories.key?(node.parent) then entry(walk, call, node)
          end
        end

        # Counts only the first question about an entry: later questions cannot be about its type.
        def entry(walk, call, node)
          walk.entries << call unless walk.asked.key?(node)
          walk.asked[node] = true
        end

        # A listing that repeats another one is not a part of the walk.
        def serial(walk, claims)
          place = walk.place
          walk.listings = claims.free(walk.listings)
          calls = walk.listings + walk.entries
          return if walk.listings.empty?

          finding(:serial_walk, place, calls, claims,
                  count: walk.entries.size, fix: FIX, fail_rate: nil, saved: saved(walk), assumption: assumption(walk),
                  drop_in: drop_in(walk, place, calls),
                  message: message(walk))
        end

        def assumption(walk)
          [*(TYPES if walk.entries.any?), PROCESSORS, *(PATTERN if glob?(walk))].join(", and ")
        end

        def glob?(walk) = GLOBS.include?(walk.question)

        def drop_in(walk, place, calls)
          drop_ins = @context.drop_ins
          glob?(walk) ? drop_ins.off(:dir) : drop_ins.for(:serial_walk, place.file, calls)
        end

        # What several threads save depends on the other processors, and on the size of the tree.
        def saved(walk)
          listings = savings.of(walk.listings) * SAVED_OF_LISTINGS
          savings.of(walk.entries) + Amount.new(listings.us, 0.0, listings.high)
        end

        def message(walk)
          directories = Prose.some(walk.directories.size, "directory", "directories")
          message = "one thread lists #{directories}, one after the other"
          return message if walk.entries.empty?

          "#{message}, and asks #{Prose.some(walk.entries.size, "time")} for the type of an entry"
        end
      end
    end
  end
end
