# frozen_string_literal: true

require_relative "origins"

module Frugal
  module Profile
    # Marks the findings that the author of the program knows and accepts: those of places that are given, and those of
    # lines with a comment `# frugal: ignore`. The reports list them, and count them no longer as waste.
    #
    #   ignoring = Ignoring.new(["lib/cache.rb:12", "lib/old.rb"])
    #   ignoring.mark(findings)
    #   ignoring.unused   # => ["lib/old.rb"]: there is no finding
    class Ignoring
      COMMENT = /#\s*frugal:\s*ignore\b/n
      # The values of {Finding#ignored}.
      OPTION = "--ignore"
      IN_CODE = "comment"
      private_constant :COMMENT

      # @return [Array<String>] the places without a finding
      attr_reader :unused

      # @param places [Array<String>] FILE:LINE or FILE, relative to the directory of the project
      # @param origins [Origins]
      def initialize(places, origins = Origins.new)
        @places = places
        @origins = origins
        @unused = places
      end

      # *Cost*: reads each file of the program that has a finding.
      #
      # @param findings [Array<Finding>]
      # @return [Array<Finding>] the same
      def mark(findings)
        used = {}
        @lines = Hash.new { |all, file| all[file] = lines_with_a_comment(file) }
        findings.select(&:waste?).each do |finding|
          place = place_of(finding)
          used[place] = true if place
          finding.ignored = OPTION if place
          finding.ignored ||= IN_CODE if @lines[finding.file].include?(finding.line)
        end
        @unused = @places.reject { |one| used.key?(one) }
        findings
      end

      private

      # @return [String, nil] as it was given
      def place_of(finding)
        @absolute ||= @places.to_h { |place| [File.expand_path(place, @origins.directory), place] }
        @absolute["#{finding.file}:#{finding.line}"] || @absolute[finding.file]
      end

      def lines_with_a_comment(file)
        return [] unless @origins.own?(file)

        File.foreach(file, mode: "rb").with_index(1).filter_map { |line, number| number if line.match?(COMMENT) }
      rescue SystemCallError
        []
      end
    end
  end
end
