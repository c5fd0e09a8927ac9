# frozen_string_literal: true

require_relative "idioms"

module Frugal
  module ProbesBench
    # A target of a probe: its time against that of an idiom, at a depth of the stack. With `:at_most`, `bound` is
    # probe ÷ idiom; with `:at_least`, idiom ÷ probe.
    Target = Struct.new(:presence, :depth, :idiom, :sense, :bound)

    # The targets of a question.
    module Targets
      DEPTHS = [0, 100, 300].freeze
      # Calls of a question that finds its file, of the Java engine; a miss is one.
      JAVA_CALLS = { entries: 4, read: 4, mtime: 1 }.freeze
      REQUIRE = 100 # milliseconds of `require "frugal"`, more than for an empty file
      PRESENT = { entries: 1.5, read: 2.5, mtime: 1.2 }.freeze
      MISSING = { "9.4" => [50.0, 150.0], "10" => [30.0, 80.0] }.freeze # by JRuby: at depth 0, and deeper
      EXCEPTION, STAT = [ExceptionIdiom, StatIdiom].map { |idiom| idiom::LABEL }
      private_constant :PRESENT, :MISSING

      class << self
        # @return [Array<Target>] under MRI
        def of_mri(_question)
          DEPTHS.map { |depth| Target.new(:present, depth, EXCEPTION, :at_most, 0.85) } +
            DEPTHS.map { |depth| Target.new(:missing, depth, STAT, :at_most, 1.2) }
        end

        # @param version [String] of JRuby
        # @return [Array<Target>] under JRuby
        def of_jruby(question, version)
          shallow, deep = MISSING.fetch(version[/9\.4|10/] || "10")
          [Target.new(:present, 0, EXCEPTION, :at_least, PRESENT.fetch(question))] +
            DEPTHS.flat_map do |depth|
              [Target.new(:missing, depth, EXCEPTION, :at_least, depth.zero? ? shallow : deep),
               Target.new(:missing, depth, STAT, :at_most, 1.2)]
            end
        end
      end
    end
  end
end
