# frozen_string_literal: true

require_relative "header"
require_relative "body"

module Frugal
  class Files
    # Status, headers and body for what was found.
    class Answers
      # Bytes up to which a file is read at once: its length is what was read, and nothing stays open.
      SMALL = 65_536
      include Header

      # @param headers [Hash, nil]
      # @param default_mime [String, nil]
      # @param named_in [String, nil] the directory whose paths a front server opens itself
      def initialize(headers, default_mime, named_in)
        @headers = headers
        @default_mime = default_mime
        @named_in = named_in
        @mime_types = nil
      end

      # What Ractor.make_shareable calls: another Ractor cannot read Rack's table.
      def freeze
        @mime_types ||= ::Rack::Mime::MIME_TYPES.dup.freeze unless frozen?
        super
      end

      # 304, with what the client would have learned from the whole answer.
      def not_modified(chosen)
        chosen.file.close
        headers = @headers ? @headers.select { |name, _| KEPT_BY_304.match?(name) } : {}
        add_vary(headers) if chosen.varies?
        headers[ETAG] = chosen.etag
        [304, headers, []]
      end

      # 200, 206; nil where no byte of the file is in the range.
      #
      # @param chosen [Representation] which this closes, or what it returns does
      # @param range [String, nil] the header
      # @param head [Boolean] whether nobody wants the body
      def found(chosen, range, head)
        file = chosen.file.size.zero? ? Content.new(chosen.file) : chosen.file
        ranges = ::Rack::Utils.get_byte_ranges(range, file.size)
        if ranges.nil? then whole(chosen, file, head)
        elsif ranges.empty? then file.close
        else part(chosen, Ranges.new(file, ranges, mime_type(chosen)), ranges, head)
        end
      end

      private

      def add_vary(headers) = headers[VARY] = headers[VARY] ? "#{headers[VARY]}, accept-encoding" : "accept-encoding"

      # In the order in which Rack::Files lets one win over the other.
      def describe(chosen)
        headers = { LAST_MODIFIED => chosen.last_modified, ETAG => chosen.etag }
        type = mime_type(chosen)
        headers[CONTENT_TYPE] = type if type
        headers.merge!(@headers) if @headers
        headers[CONTENT_ENCODING] = chosen.coding if chosen.coding
        add_vary(headers) if chosen.varies?
        headers
      end

      def mime_type(chosen)
        (@mime_types || ::Rack::Mime::MIME_TYPES).fetch(::File.extname(chosen.name).downcase, @default_mime)
      end

      def whole(chosen, file, head)
        headers = describe(chosen)
        body = head ? nothing(file) : body_of(file)
        headers[CONTENT_LENGTH] = (Array === body && !head ? body.first.bytesize : file.size).to_s
        [200, headers, body]
      end

      def body_of(file)
        return [file.bytes] if Content === file
        return Whole.for(file, @named_in && ::File.join(@named_in, file.path)) if @named_in || file.size > SMALL

        bytes = file.read(0, file.size)
        file.close
        [bytes]
      end

      def part(chosen, body, ranges, head)
        headers = describe(chosen)
        if ranges.size == 1
          headers[CONTENT_RANGE] = "bytes #{ranges[0].begin}-#{ranges[0].end}/#{body.whole}"
        else
          headers[CONTENT_TYPE] = "multipart/byteranges; boundary=#{Ranges::BOUNDARY}"
        end
        headers[CONTENT_LENGTH] = body.bytesize.to_s
        [206, headers, head ? nothing(body) : body]
      end

      def nothing(body)
        body.close
        []
      end
    end
  end
end
