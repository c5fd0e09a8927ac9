# frozen_string_literal: true

require "time"
require_relative "header"

module Frugal
  class Files
    # An open file as a client may have cached it: the original file or a compressed variant of it. Compares its
    # entity tag and its date with the conditions of a request.
    class Representation
      # Seconds. If a file is changed twice within one tick of its file system's clock, which may be a second, its mtime
      # does not show the second change. So the tag of a file that is younger than this never matches, and the client
      # gets the file once more, with a tag that can match.
      YOUNG = 2

      # @return [Native::C::BeneathFile]
      attr_reader :file

      # @return [String] the path of the original file
      attr_reader :name

      # @return [String, nil] "gzip" or "br"; nil for the original file
      attr_reader :coding

      # @return [String] the date of the original file, as HTTP writes it
      attr_reader :last_modified

      # @return [Boolean] whether the response depends on the codings that the client accepts
      attr_accessor :varies

      # @param original [Representation, nil] the file that this is a variant of
      def initialize(file, coding = nil, original: nil)
        @file = file
        @name = original ? original.name : file.path
        @coding = coding
        @mtime = file.mtime
        @last_modified = original ? original.last_modified : @mtime.httpdate
        @varies = !original.nil?
      end

      # @return [String] the entity tag: the mtime in nanoseconds, the size and the coding
      def etag = strong? ? tag : "W/#{tag.chop}-young\""

      # If-None-Match takes precedence over If-Modified-Since. Tags are compared weakly (RFC 9110, 8.8.3.2); each
      # includes its quotes, so a substring search is exact.
      def not_modified?(env)
        tags = env["HTTP_IF_NONE_MATCH"] or return env["HTTP_IF_MODIFIED_SINCE"] == last_modified

        tags = tags.b
        (strong? && tags.include?(tag)) || tags.strip == "*"
      end

      # Reports whether a range of this file belongs to the version that the client has.
      #
      # @param validator [String] the If-Range header: a tag or a date
      def if_range?(validator) = strong? && (validator == tag || (@coding.nil? && validator == last_modified))

      # Reports whether this variant is older than its original, and so was created from an earlier version of it.
      def older_than?(other) = @mtime < other.mtime

      def varies? = @varies

      protected

      attr_reader :mtime

      private

      def tag
        @tag ||= begin
          nanoseconds = @mtime.to_i * 1_000_000_000 + @mtime.nsec
          "\"#{nanoseconds.to_s(36)}-#{@file.size.to_s(36)}#{"-#{@coding}" if @coding}\""
        end
      end

      def strong?
        @strong = Process.clock_gettime(Process::CLOCK_REALTIME) - @mtime.to_f >= YOUNG unless defined?(@strong)
        @strong
      end
    end
  end
end
