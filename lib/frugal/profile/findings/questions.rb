# frozen_string_literal: true

require_relative "../kinds"
require_relative "actors"

module Frugal
  module Profile
    module Findings
      # Repeated questions of one place.
      #
      # calls:: Array<Call>: the superfluous ones
      # answers:: Array<Call>: the calls that had got the answers before
      # chained:: Integer: how many calls ask for a component of a path right after the component above it
      Repeats = Struct.new(:place, :calls, :answers, :chained) do
        # @return [Boolean] whether they resolve paths component by component
        def chain? = chained * 2 >= calls.size
      end

      # Finds questions that a thread has asked before: the same function about the same path, with the same answer, and
      # no process of the recording has changed anything that the answer depends on.
      #
      # Such a question is superfluous until the thread waits: for time, for a child, or for news from outside. After a
      # wait, it asks whether something has changed: it is a freshness check, and not waste.
      class Questions
        NAMES = [*Kinds::QUESTIONS, :getcwd].freeze
        LOADER_NAMES = [].freeze
        # A question is a number, which can be a key of a Hash: the number of its function, for access with the mode.
        NUMBERS = NAMES.each_with_index.to_h.freeze
        STAT, LSTAT, ACCESS = NUMBERS.values_at(:stat, :lstat, :access)
        EXISTENCE = 0 # F_OK
        REALPATHS = %w[realpath realdirpath].freeze
        private_constant :NUMBERS, :STAT, :LSTAT, :ACCESS, :EXISTENCE, :REALPATHS

        # @return [Hash{Place => Repeats}] the calls that do not resolve a path; the calls that do
        attr_reader :repeats, :realpaths
        # @return [Hash{Place => Hash{Call => Array(Actor, Integer)}}] the freshness checks, each with its round: the
        #   thread and its last wait
        attr_reader :freshness

        # @param changes [Changes]
        def initialize(changes)
          @changes = changes
          @repeats = groups
          @realpaths = groups
          @freshness = Hash.new { |all, place| all[place] = {}.compare_by_identity }.compare_by_identity
        end

        # Called by the {Timeline}.
        def call(call, node, actor, facts)
          return if node.nil? || node.pseudo?

          asked = actor.asked
          actor.asked = node
          previous = answer(call, node, actor)
          return if previous.nil? || @changes.hidden? || changed?(previous, node, actor)

          if actor.waited_since?(previous)
            fresh(call, actor, facts.place)
          else
            add(call, previous, facts, asked.equal?(node.parent))
          end
        end

        # Remembers a check whether something has changed since the last wait of the thread.
        #
        # @param call [Call]
        # @param actor [Actor]
        # @param place [Place]
        def fresh(call, actor, place) = @freshness[place][call] = [actor, actor.waited_at]

        private

        def groups
          Hash.new { |all, place| all[place] = Repeats.new(place, [], [], 0) }.compare_by_identity
        end

        # Remembers the call.
        #
        # @return [Call, nil] an earlier call with the same answer
        def answer(call, node, actor)
          number = NUMBERS[call.name]
          accessing = call.name == :access || call.name == :eaccess || call.name == :faccessat
          number += call.flags << 4 if accessing
          answers = actor.answers(number)
          previous = answers[node]
          answers[node] = call
          return previous if previous && same?(previous, call, accessing)

          implied(call, node, actor) if number == STAT || (accessing && call.flags == EXISTENCE)
        end

        # Reports whether the answer may have changed. The answer of getcwd changes if the directory is moved, or if the
        # process enters another directory.
        def changed?(previous, node, actor)
          return node.changed_since?(previous.time) unless previous.name == :getcwd

          @changes.entered_at(actor.process) > previous.time || node.moved_since?(previous.time)
        end

        def same?(previous, call, accessing)
          return false unless previous.error == call.error

          call.error || accessing || (previous.result == call.result && call.result != 0)
        end

        # Returns an earlier call that implies the answer. An lstat of a file that is not a link also answers a later
        # stat. A stat also answers whether the path exists.
        def implied(call, node, actor)
          stat = call.name == :stat
          previous = actor.answers(stat ? LSTAT : STAT)[node]
          previous if previous && same?(previous, call, !stat)
        end

        def add(call, previous, facts, below)
          resolves = call.name == :realpath || REALPATHS.include?(facts.question)
          group = (resolves ? @realpaths : @repeats)[facts.place]
          group.calls << call
          group.answers << previous
          group.chained += 1 if below && of_link?(call, facts)
        end

        # From Ruby 4.0 on, File.lstat calls statx.
        def of_link?(call, facts)
          call.name == :readlink || call.name == :lstat || (call.name == :statx && facts.question == "lstat")
        end
      end
    end
  end
end
