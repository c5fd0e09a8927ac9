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
    #
    # A finding about all lines that `require` files is not about its line, so it cannot be accepted in this way.
    class Ignoring
      COMMENT = /#\s*frugal:\s*ignore(?![\w-])/n
      # The values of {Finding#ignored}.
      OPTION = "--ignore"
      IN_CODE = "comment"
      private_constant :COMMENT

      # @return [Array<String>] the places without a finding
      attr_reader :unused

      # @param places [Array<String>] FILE:LINE or FILE: absolute, relative to the directory of the project, or as the
      #   reports name it, such as `activesupport 7.2.4: active_support/cache.rb:12`
      # @param origins [Origins]
      def initialize(places, origins = Origins.new)
        @origins = origins
        @names = places.to_h { |place| [place, names(place)] }
        @unused = places
      end

      # *Cost*: reads each file of the program that has a finding.
      #
      # @param findings [Array<Finding>]
      # @return [Array<Finding>] the same
      def mark(findings)
        @lines = Hash.new { |all, file| all[file] = lines_with_a_comment(file) }
        findings.select { |finding| finding.waste? && !finding.lines }.each do |finding|
          places = places_of(finding)
          @unused -= places
          finding.ignored = OPTION if places.any?
          finding.ignored ||= IN_CODE if @lines[finding.file].include?(finding.line)
        end
        findings
      end

      private

      # @return [Array<String>] binary, since a name may be of any bytes
      def names(place)
        file, line = place.b.match(/\A(.*?)(:\d+)?\z/mn).captures
        path = File.absolute_path(file, @origins.directory)
        real = File.realpath(path) if File.exist?(path)
        [file, path, real].compact.map { |name| "#{name}#{line}".b }
      end

      # @return [Array<String>] as they were given
      def places_of(finding)
        origin = @origins.of(finding.file)
        known = [finding.file, origin.to_s, origin.path].flat_map { |name| [name.b, "#{name}:#{finding.line}".b] }
        @names.select { |_, names| names.intersect?(known) }.keys
      end

      # Opens no FIFO and no terminal.
      def lines_with_a_comment(file)
        return [] unless @origins.own?(file) && File.file?(file)

        File.foreach(file, mode: "rb").with_index(1).filter_map { |line, number| number if line.match?(COMMENT) }
      rescue SystemCallError
        []
      end
    end
  end
end
