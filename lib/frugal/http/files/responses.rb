# frozen_string_literal: true

require_relative "header"
require_relative "body"

module Frugal
  class Files
    # Creates the response for a file that was found: status, headers and body.
    class Responses
      # Bytes up to which a file is read at once. Its content-length is then the number of bytes read, and
      # the file is closed before the response is sent.
      SMALL = 65_536
      include Header

      # @param headers [Hash, nil]
      # @param default_mime [String, nil]
      # @param sendfile_root [String, nil] the directory, if a front server opens the files itself
      def initialize(headers, default_mime, sendfile_root)
        @headers = headers
        @default_mime = default_mime
        @sendfile_root = sendfile_root
        @mime_types = nil
      end

      # Ractor.make_shareable calls this. The table is copied, because other Ractors cannot read Rack's table.
      def freeze
        @mime_types ||= ::Rack::Mime::MIME_TYPES.dup.freeze unless frozen?
        super
      end

      # The response 304, with the headers of the full response that a client needs (RFC 9110, 15.4.5).
      def not_modified(chosen)
        chosen.file.close
        headers = @headers ? @headers.select { |name, _| KEPT_BY_304.match?(name) } : {}
        add_vary(headers) if chosen.varies?
        headers[ETAG] = chosen.etag
        [304, headers, []]
      end

      # The response 200 or 206; nil if the range contains no byte of the file.
      #
      # @param chosen [Representation] this method or the body closes its file
      # @param range [String, nil] the Range header
      # @param head [Boolean] whether the request is a HEAD
      def found(chosen, range, head)
        file = chosen.file.size.zero? ? BufferedFile.new(chosen.file) : chosen.file
        ranges = ::Rack::Utils.get_byte_ranges(range, file.size)
        if ranges.nil? then full(chosen, file, head)
        elsif ranges.empty? then file.close
        else partial(chosen, RangeBody.new(file, ranges, mime_type(chosen)), ranges, head)
        end
      end

      private

      def add_vary(headers) = headers[VARY] = headers[VARY] ? "#{headers[VARY]}, accept-encoding" : "accept-encoding"

      # Later headers replace earlier ones, in the same order as with Rack::Files.
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

      def full(chosen, file, head)
        headers = describe(chosen)
        body = head ? closed(file) : body_of(file)
        headers[CONTENT_LENGTH] = (Array === body && !head ? body.first.bytesize : file.size).to_s
        [200, headers, body]
      end

      def body_of(file)
        return [file.bytes] if BufferedFile === file
        return FileBody.for(file, ::File.join(@sendfile_root, file.path)) if @sendfile_root
        return FileBody.for(file, nil) if file.size > SMALL

        bytes = file.read(0, file.size)
        file.close
        [bytes]
      end

      def partial(chosen, body, ranges, head)
        headers = describe(chosen)
        if ranges.size == 1
          headers[CONTENT_RANGE] = "bytes #{ranges[0].begin}-#{ranges[0].end}/#{body.file_size}"
        else
          headers[CONTENT_TYPE] = "multipart/byteranges; boundary=#{RangeBody::BOUNDARY}"
        end
        headers[CONTENT_LENGTH] = body.bytesize.to_s
        [206, headers, head ? closed(body) : body]
      end

      # @return [Array] the body of a HEAD
      def closed(body)
        body.close
        []
      end
    end
  end
end
