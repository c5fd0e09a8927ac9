# frozen_string_literal: true

require_relative "finder"
require_relative "questions"

module Frugal
  module Profile
    module Findings
      # Questions that were answered before, and files that are read again although nothing has changed them.
      class RedundantCall < Finder
        QUESTION_FIX = "Keep the answer, or ask once with File.stat, which has type, size and times."
        DIRECTORY_FIX = "Ask once: File.expand_path(path, base) with an absolute base does not ask for the directory."
        READ_FIX = "Read the file once and keep what was read."
        private_constant :QUESTION_FIX, :DIRECTORY_FIX, :READ_FIX

        # The readings of one place that repeat `earlier` ones: the same file, with the same content.
        Readings = Struct.new(:place, :open_files, :earlier)
        private_constant :Readings

        # @param context [Context]
        def initialize(context)
          super
          @readings = Hash.new { |all, place| all[place] = Readings.new(place, [], []) }.compare_by_identity
        end

        # Called by the {Timeline}.
        def closed(open_file)
          return if !open_file.reading? || !open_file.content_read || !open_file.whole? || open_file.node.pseudo?

          known = open_file.actor.readings
          previous = known[open_file.node]
          known[open_file.node] = open_file
          add(open_file, previous) if previous && repeated?(previous, open_file)
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          groups = @context.questions.repeats.values.reject(&:chain?)
          groups.filter_map { |group| question(group, claims) } +
            @readings.values.filter_map { |group| reading(group, claims) }
        end

        private

        def repeated?(previous, open_file)
          previous.content_read == open_file.content_read && unchanged_since?(previous, open_file) &&
            !open_file.waited_since?(previous.open)
        end

        def add(open_file, previous)
          readings = @readings[open_file.facts.place]
          readings.open_files << open_file
          readings.earlier << previous.open
        end

        def question(group, claims)
          calls = claims.free(group.calls)
          return if calls.empty?

          names = calls.map(&:name).uniq
          place = group.place
          fix = names == [:getcwd] ? DIRECTORY_FIX : QUESTION_FIX
          finding(:redundant_call, place, calls, claims,
                  fix: fix, fail_rate: place.fail_rate(names), saved: savings.repeated(calls), assumption: held,
                  known_from: known_from(place, group.answers),
                  message: question_message(group, calls, names))
        end

        def question_message(group, calls, names)
          total = group.place.calls.values_at(*names).sum
          "#{Prose.number(calls.size)} of #{Prose.some(total, "call")} (#{Prose.functions(calls)}) repeat one " \
            "whose answer was known: #{Prose::HELD}"
        end

        def reading(group, claims)
          open_files = group.open_files.reject { |open_file| claims.taken?(open_file.open) }
          return if open_files.empty?

          calls = claims.free(open_files.flat_map(&:calls))
          finding(:redundant_call, group.place, calls, claims,
                  fix: READ_FIX, fail_rate: 0.0, assumption: held, known_from: known_from(group.place, group.earlier),
                  message: reading_message(open_files, calls))
        end

        def reading_message(open_files, calls)
          "#{Prose.some(open_files.size, "time")} the same bytes of an unchanged file are read again " \
            "(#{Prose.some(calls.size, "call")}): #{Prose::HELD}"
        end
      end
    end
  end
end
