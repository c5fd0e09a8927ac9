# frozen_string_literal: true

require_relative "events"

module Frugal
  module Profile
    # Reads the log of one process, which ext/frugal_recorder/log.c writes. Whatever the process did last, and however
    # it ended, everything up to there is complete.
    #
    #   log = Log.new(File.binread("4711.0"))
    #   log.process.argv # => ["ruby", "a.rb"]
    #   log.calls        # => [#<struct Call name=:stat …>, …]
    class Log
      MAGIC = "FRUGREC1"
      # The fields of `struct header` and `struct event`.
      HEADER = "a8L2L2Q<Q<Q<Q<L2L2Z64"
      EVENT = "Q2qL6lL2S2"
      EVENT_FIELDS = 14
      EVENT_SIZE = 64
      CHUNK_HEADER = 16
      COUNTS = 136
      NAMES = COUNTS + (128 * 8)
      ARGV = NAMES + 2048
      NO_STACK = Stack::EMPTY
      ERRORS = Errno.constants.to_h { |name| [Errno.const_get(name)::Errno, name.to_s] }
                    .merge(Errno::EAGAIN::Errno => "EAGAIN", Errno::EOPNOTSUPP::Errno => "EOPNOTSUPP").freeze
      private_constant :MAGIC, :HEADER, :EVENT, :EVENT_FIELDS, :EVENT_SIZE, :CHUNK_HEADER, :COUNTS, :NAMES, :ARGV,
                       :NO_STACK, :ERRORS

      # @return [ProcessRecord]
      attr_reader :process
      # @return [Array<Call>] in the order of their ends, thread by thread
      attr_reader :calls
      # @return [Array<Raise>]
      attr_reader :raises

      # @param bytes [String] the file
      # @return [Boolean] whether it is a log; a process that was killed as it began leaves an empty file
      def self.valid?(bytes) = bytes.start_with?(MAGIC)

      # @param bytes [String] the file, or only its beginning up to the end of the last chunk
      def initialize(bytes)
        @bytes = bytes
        read_header
        @definitions = Definitions.new
        @calls = []
        @raises = []
        chunks.partition { |kind,| kind == 2 }.then do |definitions, events|
          definitions.each { |_, from, size| @definitions.read(@bytes, from, size) }
          events.each { |_, from, size| read_events(from, size) }
        end
      end

      private

      def read_header
        _, _, @header_size, pid, ppid, started, _, @end, dropped, calls, _, argv, names, ruby = @bytes.unpack(HEADER)
        @names = @bytes.byteslice(NAMES, names).split.map(&:to_sym)
        counts = @names.zip(@bytes.byteslice(COUNTS, calls * 8).unpack("Q*")).to_h.select { |_, count| count.positive? }
        arguments = @bytes.byteslice(ARGV, argv).split("\0", -1).map { |word| Definitions.text(word) }
        arguments.pop if arguments.last == ""
        @process = ProcessRecord.new(pid, ppid, arguments, (ruby unless ruby.empty?), started, dropped, counts)
        @children = { 0 => @process }
      end

      # @return [Array<Array(Integer, Integer, Integer)>] kind, first byte and size of the contents of each chunk
      def chunks
        at = @header_size
        found = []
        while at + CHUNK_HEADER <= [@end, @bytes.bytesize].min
          kind, size, used = @bytes.unpack("L3", offset: at)
          break if size.zero?

          found << [kind, at + CHUNK_HEADER, used]
          at += size
        end
        found
      end

      def read_events(from, size)
        count = size / EVENT_SIZE
        fields = @bytes.byteslice(from, count * EVENT_SIZE).unpack(EVENT * count)
        fields.each_slice(EVENT_FIELDS) { |event| add(*event) }
      end

      def add(time, result, bytes, duration, path, to, stack, group, thread, descriptor, flags, child, call, error)
        process = @children[child] || shared_child(child)
        stack = stack.zero? ? NO_STACK : @definitions.stack(stack)
        group = @definitions.string(group) unless group.zero?
        error = error.zero? ? nil : ERRORS.fetch(error) { "E#{error}" }
        if call.zero?
          ancestors = @definitions.string(to).lines(chomp: true)
          return @raises << Raise.new(process, thread, time, @definitions.string(path), ancestors, error, stack, bytes,
                                      group.is_a?(String) ? group : nil)
        end
        @calls << Call.new(process, thread, time, duration, @names[call], error, @definitions.path(path),
                           @definitions.path(to), descriptor.negative? ? nil : descriptor, bytes, result, flags, stack,
                           group.is_a?(String) ? group : nil)
      end

      # A child of vfork, which wrote into the log of its parent.
      def shared_child(pid)
        @children[pid] = ProcessRecord.new(pid, @process.pid, @process.argv, nil, @process.started, 0, {})
      end
    end

    # The names in a log: strings, paths, frames and stacks, by their number from 1.
    class Log::Definitions
      STRING, PATH, FRAME, STACK, LABEL = 1, 2, 3, 4, 5
      private_constant :STRING, :PATH, :FRAME, :STACK, :LABEL

      # @param bytes [String] binary
      # @return [String] UTF-8 if it is valid, else binary
      def self.text(bytes)
        utf8 = bytes.dup.force_encoding(Encoding::UTF_8)
        (utf8.valid_encoding? ? utf8 : bytes.b).freeze
      end

      def initialize
        @kinds = [0]
        @contents = [nil]
        @values = []
        @labels = {}
      end

      # Reads one chunk.
      #
      # @param bytes [String]
      # @param at [Integer] its first byte
      # @param size [Integer]
      # @return [void]
      def read(bytes, at, size)
        finish = at + size
        while at < finish
          kind, length = bytes.unpack("L2", offset: at)
          @kinds << kind
          @contents << bytes.byteslice(at + 8, length)
          note_label(@contents.last) if kind == LABEL
          at += 8 + ((length + 3) & ~3)
        end
      end

      # @param id [Integer]
      # @return [String]
      def string(id) = @values[id] ||= self.class.text(@contents.fetch(id))

      # @param id [Integer] of a path or string; 0 for none
      # @return [String, nil]
      def path(id)
        return if id.zero?

        @values[id] ||= @kinds[id] == PATH ? joined(@contents[id]) : self.class.text(@contents[id])
      end

      # @param id [Integer]
      # @return [Stack]
      def stack(id)
        @values[id] ||= Stack.new(@contents[id].unpack("L*").filter_map { |frame| frame(frame) unless frame.zero? })
      end

      private

      def joined(content)
        directory = content.unpack1("L")
        name = content.byteslice(4..)
        return self.class.text(name) if directory.zero?
        return path(directory) if name.empty? || name == "."

        base = path(directory).b
        self.class.text(base.end_with?("/") ? "#{base}#{name}" : "#{base}/#{name}")
      end

      def frame(id)
        @values[id] ||= begin
          file, line, label = @contents[id].unpack("L3")
          label = @labels[id] || 0 if file.zero? && label.zero?
          Frame.new(file.zero? ? nil : string(file), file.zero? ? nil : line, label.zero? ? nil : string(label)).freeze
        end
      end

      def note_label(content)
        frame, label = content.unpack("L2")
        @labels[frame] = label
      end
    end
  end
end
