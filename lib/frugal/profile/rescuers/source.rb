# frozen_string_literal: true

require_relative "parser"

module Frugal
  module Profile
    class Rescuers
      # The `rescue` clauses of one file.
      class Source
        # @param file [String]
        # @return [Source] without any clause if the file cannot be read or parsed
        def self.read(file)
          new(File.read(file, encoding: Encoding::UTF_8))
        rescue SystemCallError, IOError
          new("")
        end

        # @param code [String]
        def initialize(code)
          parser = Parser.new(code)
          parser.parse
          @blocks = parser.blocks
          @regions = parser.error? ? [] : parser.regions.sort_by { |region| region.last - region.first }
        end

        # @param frame [Frame]
        # @param ancestors [Array<String>] of the exception's class, itself included
        # @return [Integer, nil] the line of the `rescue`
        def rescuer(frame, ancestors)
          @regions.each do |region|
            next unless region.cover?(frame.line) && same_scope?(region, frame)

            clause = region.clauses.find { |one| one.match?(ancestors) }
            return clause.line if clause
          end
          nil
        end

        private

        # For the frame of a block, only a `rescue` inside of the block counts: the method around it may have returned
        # when the block runs.
        def same_scope?(region, frame)
          return true unless frame.label.to_s.start_with?("block")

          @blocks.any? { |block| block.cover?(frame.line) && block.include?(region) }
        end
      end
    end
  end
end
