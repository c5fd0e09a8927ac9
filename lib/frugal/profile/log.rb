# frozen_string_literal: true

require_relative "events"
require_relative "kinds"

module Frugal
  module Profile
    # Reads the log of one process, which ext/frugal_recorder/log.c writes. The log is complete up to the end of the
    # process, even if the process was killed.
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
      FACTS = %i[ractor unseen].freeze
      NOT_CALLS = [:mark, *FACTS, *Kinds::PROBES].freeze # names that are counted
      ERRORS = Errno.constants.to_h { |name| [Errno.const_get(name)::Errno, name.to_s] }
                    .merge(Errno::EAGAIN::Errno => "EAGAIN", Errno::EOPNOTSUPP::Errno => "EOPNOTSUPP").freeze
      private_constant :MAGIC, :HEADER, :EVENT, :EVENT_FIELDS, :EVENT_SIZE, :CHUNK_HEADER, :COUNTS, :NAMES, :ARGV,
                       :FACTS, :NOT_CALLS, :ERRORS

      # @return [ProcessRecord]
      attr_reader :process
      # @return [Array<Call>] in the order of their ends, thread by thread
      attr_reader :calls
      # @return [Array<Raise>]
      attr_reader :raises
      # @return [Hash{String => Integer}] see {Recording#runs}
      attr_reader :runs

      # @return [Boolean] whether the log shows that the process had Ractors besides the main one
      def ractors? = @facts.include?(:ractor)

      # @return [Boolean] whether waits of Ruby's methods are not recorded: the process has a static Ruby
      def unseen_waits? = @facts.include?(:unseen)

      # @return [Array<Array(String, String)>] the texts that the agent of the process wrote, as
      #   {Definitions#declarations} returns them
      attr_reader :declarations

      # @param bytes [String] the file
      # @return [Boolean] whether the file is a log; a process that was killed at its start leaves an empty file
      def self.valid?(bytes) = bytes.start_with?(MAGIC)

      # Reads only the used part of the file: the file is as large as the limit, but most of it is a hole.
      #
      # @param file [String]
      # @return [Log, nil] nil if the file is not a log
      def self.load(file)
        used = File.binread(file, 8, 40)&.unpack1("Q") or return
        bytes = File.binread(file, used)
        new(bytes) if bytes && valid?(bytes)
      end

      # @param bytes [String] the file, or only its beginning up to the end of the last chunk
      def initialize(bytes)
        @bytes = bytes
        read_header
        @definitions = Definitions.new
        @calls = []
        @raises = []
        @runs = Hash.new(0)
        chunks.partition { |kind,| kind == 2 }.then do |definitions, events|
          definitions.each { |_, from, size| @definitions.read(@bytes, from, size) }
          events.each { |_, from, size| read_events(from, size) }
        end
        @declarations = @definitions.declarations
        @bytes = @definitions = nil # as large as the calls
      end

      private

      def read_header
        _, _, @header_size, pid, ppid, started, _, @end, dropped, calls, _, argv, names, ruby = @bytes.unpack(HEADER)
        @names = @bytes.byteslice(NAMES, names).split.map(&:to_sym)
        counts = @names.zip(@bytes.byteslice(COUNTS, calls * 8).unpack("Q*"))
        counted = counts.select { |_, count| count.positive? }.to_h
        @facts = counted.keys & FACTS
        counts = counted.except(*NOT_CALLS)
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
        fields.each_slice(EVENT_FIELDS) { |event| add(event) }
      end

      def add(fields)
        time, result, bytes, duration, path, to, stack, group, thread, descriptor, flags, child, call, error = fields
        process = @children[child] || shared_child(child)
        stack = stack.zero? ? Stack::EMPTY : @definitions.stack(stack)
        group = @definitions.path(group)
        error = error.zero? ? nil : ERRORS.fetch(error) { "E#{error}" }
        if call.zero?
          return @raises << Raise.new(process, thread, time, @definitions.string(path),
                                      @definitions.string(to).lines(chomp: true), error, stack, bytes, group)
        end
        return @runs[@definitions.path(path)] += 1 if @names[call] == :mark

        @calls << Call.new(process, thread, time, duration, @names[call], error, @definitions.path(path),
                           @definitions.path(to), (descriptor unless descriptor.negative?), bytes, result, flags, stack,
                           group)
      end

      # Returns the record of a child of vfork, which wrote into the log of its parent.
      def shared_child(pid)
        @children[pid] = ProcessRecord.new(pid, @process.pid, @process.argv, nil, @process.started, 0, {})
      end
    end
  end
end

require_relative "log/definitions"
