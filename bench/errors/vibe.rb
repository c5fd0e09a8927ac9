# frozen_string_literal: true

require "open3"

module Frugal
  module ErrorsBench
    # vibe.d, where the finding was made.
    module Vibe
      # @return [String, nil] why it is not compared
      def self.note
        packages, = Open3.capture2e("dub", "list")
        "vibe.d is not compared: dub has no package vibe-d here" unless packages.match?(/^ *vibe-d /)
      rescue Errno::ENOENT
        "vibe.d is not compared: dub is not installed"
      end
    end
  end
end
