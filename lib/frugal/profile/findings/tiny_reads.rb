# frozen_string_literal: true

require_relative "finder"

module Frugal
  module Profile
    module Findings
      # Small files that are read in many pieces of a few bytes.
      class TinyReads < Finder
        TINY = 64 # bytes
        BUFFER = 8192 # bytes that one read could return
        MANY = 16 # tiny reads of one open file
        SMALL = 1_048_576 # bytes of a file that can be read at once
        FIX = "Read the file at once (File.binread, Frugal.read) and take the pieces from the String."
        private_constant :TINY, :BUFFER, :MANY, :SMALL, :FIX

        # The superfluous reads of one place.
        Pieces = Struct.new(:place, :calls, :reads, :bytes, :files)
        private_constant :Pieces

        # @param context [Context]
        def initialize(context)
          super
          @pieces = Hash.new { |all, place| all[place] = Pieces.new(place, [], 0, 0, 0) }.compare_by_identity
        end

        # Called by the {Timeline}.
        def closed(open_file)
          return if open_file.calls.size < MANY || !readable_at_once?(open_file)

          tiny = open_file.calls.select { |call| call.name == :read && call.bytes.between?(1, TINY) }
          return if tiny.size < MANY || open_file.seeks * 2 > tiny.size || open_file.waited?

          tiny.group_by { |call| timeline.stacks.of(call.stack).place }.each { |place, reads| add(place, reads) }
        end

        # @param claims [Claims]
        # @return [Array<Finding>]
        def findings(claims)
          @pieces.each_value.map do |pieces|
            finding(:tiny_reads, pieces.place, pieces.calls, claims,
                    fix: FIX, fail_rate: nil, saved: savings.reads(pieces.calls), assumption: held,
                    message: message(pieces))
          end
        end

        private

        # The size is the result of fstat or, without an fstat, the bytes that were read; fstat reports 0 unless the
        # file is regular.
        def readable_at_once?(open_file)
          return false if open_file.node.pseudo? || open_file.size&.zero?

          (open_file.size || open_file.bytes_read) <= SMALL
        end

        def add(place, reads)
          return if place.nil? || reads.size < MANY

          bytes = reads.sum(&:bytes)
          pieces = @pieces[place]
          pieces.calls.concat(reads.drop(1 + bytes / BUFFER))
          pieces.reads += reads.size
          pieces.bytes += bytes
          pieces.files += 1
        end

        def message(pieces)
          "#{Prose.some(pieces.reads, "read")} of #{pieces.bytes / pieces.reads} bytes on average, where " \
            "#{Prose.some(pieces.files, "file")} could be read at once"
        end
      end
    end
  end
end
