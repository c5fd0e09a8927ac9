# frozen_string_literal: true

require_relative "../../platform"

module Frugal
  class Files
    # A response body with the bytes of an open file, even if its name now leads to another file. If the file has become
    # shorter than its content-length, the client would read the next response as the rest of the file. So an EOFError
    # makes the server close the connection.
    class Body
      CHUNK = 65_536
      private_constant :CHUNK

      # @param file [Native::C::BeneathFile] the open file, which is closed with this body
      def initialize(file)
        @file = file
      end

      # @yieldparam part [String] binary
      # @raise [EOFError] if the file has become shorter
      def each(&block) = send_range(0, @file.size, &block)

      # @return [nil]
      def close = @file.close

      private

      def send_range(offset, length)
        while length.positive?
          part = @file.read(offset, [CHUNK, length].min)
          short = part.bytesize < length && part.bytesize < CHUNK
          yield part unless part.empty?
          raise EOFError, "#{@file.path} became shorter while it was sent" if short

          offset += part.bytesize
          length -= part.bytesize
        end
      end
    end

    # The body of a full file, which a server may also send by +sendfile+.
    class FileBody < Body
      # The folder in which the descriptors of this process have paths. JRuby's file numbers are not descriptors.
      DESCRIPTORS = (%w[/proc/self/fd /dev/fd].find { |folder| File.directory?(folder) } unless Platform::JRUBY)

      # @param path [String, nil] the file's own path, if a front server opens it
      # @return [Body] a body with `to_path` if there is a path to return
      def self.for(file, path) = path || DESCRIPTORS ? new(file, path) : Body.new(file)

      def initialize(file, path)
        super(file)
        @path = path
        @opened_by_path = false
      end

      # Puma and other servers open the file by this path. It is the path of the descriptor, because the file's own path
      # may now lead out of the root.
      #
      # @return [String]
      def to_path
        return @path if @path

        @opened_by_path = true
        "#{DESCRIPTORS}/#{@file.fileno}"
      end

      # @raise [EOFError] if the file was sent by `to_path` and its size has changed. The server did not notice the
      #   change, and the client must not read the next response as the rest of this one
      def close
        return if @closed

        @closed = true
        same = !@opened_by_path || @file.same_size?
        super
        raise EOFError, "#{@file.path} changed its size while it was sent" unless same
      end
    end

    # The body of one or several ranges of a file; several are the parts of a multipart body.
    class RangeBody < Body
      BOUNDARY = "AaB03x"

      # @return [Integer] bytes of the full file
      attr_reader :file_size

      # @param ranges [Array<Range>] of bytes
      # @param type [String, nil] of each part
      def initialize(file, ranges, type)
        super(file)
        @ranges = ranges
        @file_size = file.size
        @headings = several? ? ranges.map { |range| heading(range, type) } : []
      end

      def each(&block)
        @ranges.each_with_index do |range, at|
          yield @headings[at] if several?
          send_range(range.begin, range.size, &block)
        end
        yield ending if several?
      end

      # @return [Integer] bytes of the body, headings included
      def bytesize = @ranges.sum(&:size) + @headings.sum(&:bytesize) + (several? ? ending.bytesize : 0)

      private

      def several? = @ranges.size > 1

      def ending = "\r\n--#{BOUNDARY}--\r\n"

      def heading(range, type)
        "\r\n--#{BOUNDARY}\r\n#{Header::CONTENT_TYPE}: #{type}\r\n" \
          "#{Header::CONTENT_RANGE}: bytes #{range.begin}-#{range.end}/#{@file_size}\r\n\r\n"
      end
    end

    # A file that reports the size 0 but may have bytes, as under /proc. It is read into memory to find its size.
    class BufferedFile
      attr_reader :bytes, :path

      def initialize(file)
        @bytes = String.new(encoding: Encoding::BINARY)
        @path = file.path
        while (part = file.read(@bytes.bytesize, 65_536)) && !part.empty?
          @bytes << part
        end
        file.close
      end

      def size = @bytes.bytesize
      def read(offset, length) = @bytes.byteslice(offset, length) || ""
      def close = nil
    end
  end
end
