# frozen_string_literal: true

require_relative "phases"
require_relative "../support/results"

module Frugal
  module RakeBench
    # The measurements of one rival in one case: seconds by round on the wall (`time`) and of the processor (`cpu`).
    class Row < Bench::Row
      # @return [Rival]
      attr_reader :rival
      # @return [Array<Phases, nil>] by round; nil where they are not known
      attr_reader :phases
      # @return [Float] seconds
      attr_accessor :spent
      # @return [StatCalls, nil]
      attr_accessor :stat_calls
      # @return [Integer, nil]
      attr_accessor :exceptions

      def initialize(subject, rival)
        super(subject, rival.label, :time, :cpu)
        @rival = rival
        @phases = []
        @spent = 0.0
      end

      # @param phase [Symbol] a method of {Phases}
      # @return [Bench::Series] processor seconds by round
      def phase(phase)
        Bench::Series.new.tap { |series| phases.each_with_index { |round, i| series[i] = round&.public_send(phase) } }
      end

      def to_h
        { rival: label, command: rival.argv.map { |word| word.sub(Dir.home, "~") }, accelerates: rival.stock,
          wall: self[:time].rounded(6), cpu: self[:cpu].rounded(6),
          phases: (Phases.members.to_h { |phase| [phase, phase(phase).rounded(6)] } if phases.any?), dies: death,
          stats: stat_calls&.total, paths: stat_calls&.distinct, exceptions: exceptions }.compact
      end
    end
  end
end
