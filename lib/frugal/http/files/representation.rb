# frozen_string_literal: true

require "time"
require_relative "header"

module Frugal
  class Files
    # A file that is open, as what a client may have of it already: itself, or a compressed
    # variant that stands for it.
    class Representation
      # A file that is changed twice within a tick of its file system's clock keeps its time, and on
      # some that is a second. So the tag of a file this young, in seconds, never matches: a client
      # that has these bytes gets the file once more, and a tag that does.
      YOUNG = 2

      # @return [Native::C::BeneathFile]
      attr_reader :file

      # @return [String] the path of the file that it stands for
      attr_reader :name

      # @return [String, nil] "gzip", "br"
      attr_reader :coding

      # @return [String] a date, as HTTP writes it; of the file, for its variants too
      attr_reader :last_modified

      # Whether clients that accept other codings would get another one.
      attr_accessor :varies

      # @param of [Representation, nil] what it is a variant of
      def initialize(file, coding = nil, of: nil)
        @file = file
        @name = of ? of.name : file.path
        @coding = coding
        @mtime = file.mtime
        @last_modified = of ? of.last_modified : @mtime.httpdate
        @varies = !of.nil?
      end

      # @return [String] the time to the nanosecond, the size, the coding
      def etag = strong? ? tag : "W/#{tag.chop}-young\""

      # Tags are compared weakly, and count before the date. The quotes are part of what is looked for.
      def not_modified?(env)
        tags = env["HTTP_IF_NONE_MATCH"] or return env["HTTP_IF_MODIFIED_SINCE"] == last_modified

        tags = tags.b
        (strong? && tags.include?(tag)) || tags.strip == "*"
      end

      # @param validator [String] of If-Range: a tag, or a date
      def same_for_ranges?(validator) = strong? && (validator == tag || (@coding.nil? && validator == last_modified))

      # Whether this is what its file was made into, and not what an earlier one was.
      def older_than?(other) = @mtime < other.mtime

      def varies? = @varies

      protected

      attr_reader :mtime

      private

      def tag = @tag ||= "\"#{(@mtime.to_i * 1_000_000_000 + @mtime.nsec).to_s(36)}-#{@file.size.to_s(36)}#{"-#{@coding}" if @coding}\""

      def strong?
        @strong = Process.clock_gettime(Process::CLOCK_REALTIME) - @mtime.to_f >= YOUNG unless defined?(@strong)
        @strong
      end
    end
  end
end
