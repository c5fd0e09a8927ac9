# frozen_string_literal: true

module Frugal
  class Files
    # What a server sends of a file: of the one that was opened, whatever its name leads to by now.
    # Fewer bytes than were announced would be completed from the next response, so where the
    # file has become shorter an EOFError makes the server end the connection.
    class Body
      CHUNK = 65_536
      private_constant :CHUNK

      # @param file [Native::C::BeneathFile] which this closes
      def initialize(file)
        @file = file
      end

      # @yieldparam part [String] binary
      # @raise [EOFError] where the file has become shorter
      def each(&block) = send_range(0, @file.size, &block)

      # @return [nil]
      def close = @file.close

      private

      def send_range(offset, length)
        while length.positive?
          part = @file.read(offset, [CHUNK, length].min)
          short = part.bytesize < length && part.bytesize < CHUNK
          yield part unless part.empty?
          raise EOFError, "#{@file.path} has become shorter while it was sent" if short

          offset += part.bytesize
          length -= part.bytesize
        end
      end
    end

    # A whole file, which a server may also send by +sendfile+.
    class Whole < Body
      # Where the descriptors of this process have names. JRuby's numbers are its own.
      DESCRIPTORS = (%w[/proc/self/fd /dev/fd].find { |folder| File.directory?(folder) } unless RUBY_ENGINE == "jruby")

      # The body for what this machine can name.
      #
      # @param name [String, nil] for a front server, which opens it itself
      def self.for(file, name) = name || DESCRIPTORS ? new(file, name) : Body.new(file)

      def initialize(file, name)
        super(file)
        @name = name
        @asked = false
      end

      # Puma and others open what this names. It names the descriptor, and not the
      # path: that may lead out of the root by now.
      #
      # @return [String]
      def to_path
        return @name if @name

        @asked = true
        "#{DESCRIPTORS}/#{@file.fileno}"
      end

      # @raise [EOFError] where it was sent by to_path, and has another size now: who sent it
      #   has not noticed, and the next response is not to be taken for the rest of this one
      def close
        return if @closed

        @closed = true
        same = !@asked || @file.same_size?
        super
        raise EOFError, "#{@file.path} has changed its size while it was sent" unless same
      end
    end

    # Some ranges of a file; several are the parts of one body.
    class Ranges < Body
      BOUNDARY = "AaB03x"

      # @return [Integer] bytes, of the whole file
      attr_reader :whole

      # @param ranges [Array<Range>] of bytes
      # @param type [String, nil] of each part
      def initialize(file, ranges, type)
        super(file)
        @ranges = ranges
        @whole = file.size
        @headings = several? ? ranges.map { |range| heading(range, type) } : []
      end

      def each(&block)
        @ranges.each_with_index do |range, at|
          yield @headings[at] if several?
          send_range(range.begin, range.size, &block)
        end
        yield ending if several?
      end

      # @return [Integer] of all that is sent
      def bytesize = @ranges.sum(&:size) + @headings.sum(&:bytesize) + (several? ? ending.bytesize : 0)

      private

      def several? = @ranges.size > 1

      def ending = "\r\n--#{BOUNDARY}--\r\n"

      def heading(range, type)
        "\r\n--#{BOUNDARY}\r\n#{Header::CONTENT_TYPE}: #{type}\r\n" \
          "#{Header::CONTENT_RANGE}: bytes #{range.begin}-#{range.end}/#{@whole}\r\n\r\n"
      end
    end

    # What does not tell its size (under /proc) was read before it was announced.
    class Content
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
