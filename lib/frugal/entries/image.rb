# frozen_string_literal: true

require_relative "format"

module Frugal
  class Entries
    # What an entry's file contained when it was read.
    class Image
      # @return [Record, nil] the newest valid one
      attr_reader :record

      # @return [Symbol, nil] why there is no record: `:empty` (never written), `:foreign` (not an entry of this key),
      #   `:damaged`, `:huge`, `:special` (no regular file)
      attr_reader :problem

      # @return [String]
      attr_reader :content

      # Reads the whole file by one call.
      #
      # @param file [Native::C::EntryFile, Native::Pure::EntryFile] examined
      # @param largest [Integer] bytes
      # @return [Image]
      def self.read(file, digest, largest)
        return new("", digest, :special) unless file.regular?
        return new("", digest, :huge) if file.size > largest

        new(file.size.zero? ? "" : file.read(0, file.size), digest)
      end

      def initialize(content, digest, problem = nil)
        @content = content
        @problem = problem || (:empty if content.empty?) || (:foreign unless Format.head?(content, digest))
        return if @problem

        @record = Format.decode(content)
        @problem = :damaged unless @record
      end

      # Whether a read without the lock has found what it would have found with it.
      #
      # @return [Boolean]
      def settled?
        return @record.settled if @record

        @problem != :damaged && @problem != :foreign
      end

      # Reads the file again, with space for one byte more, which a file that has grown fills.
      #
      # @return [Image, nil] self if the file has not changed; nil if it has to be examined: it has
      #   grown, or it is marked, or there was no record
      def reread(file, digest)
        return unless @record

        space = [@content.bytesize + 1, 1 << Format::SMALLEST].max
        content = file.read(0, space)
        return if content.bytesize == space || content.bytesize < Format::HEAD || Format.retired?(content)

        content == @content ? self : Image.new(content, digest)
      end
    end
  end
end
