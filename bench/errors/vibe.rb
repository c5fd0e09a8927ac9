# frozen_string_literal: true

require_relative "../support/program"

module Frugal
  module ErrorsBench
    # vibe.d, where the finding was made.
    module Vibe
      # @return [String, nil] why it is not compared
      def self.note
        packages = Bench::Program.said("dub", "list")
        return "vibe.d is not compared: dub is not installed" unless packages

        "vibe.d is not compared: dub has no package vibe-d here" unless packages.match?(/^ *vibe-d /)
      end
    end
  end
end
