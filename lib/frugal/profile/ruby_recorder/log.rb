# frozen_string_literal: true

# The log of one process, in the format of ext/frugal_recorder/log.h, so both recorders have the same reader. It is
# written in blocks: definitions, events, then the header that makes them valid. The file is open only while a block is
# written, so the program gets the same descriptors as without the log. The caller makes sure that only one thread uses
# the log at a time.
class Log
  BLOCK = 65_536 # bytes of events
  PERIOD = 200_000_000 # nanoseconds after which the next event writes a block
  EVENT = "Q2qL6lL2S2"
  ERROR_SIZE = 2 # bytes, the last ones of an event
  DEFINITIONS, EVENTS = 2, 1
  CREATE = File::WRONLY | File::CREAT | File::EXCL
  FILE = File
  private_constant :BLOCK, :PERIOD, :EVENT, :ERROR_SIZE, :DEFINITIONS, :EVENTS, :CREATE, :FILE

  # @return [Definitions]
  attr_reader :definitions
  # @return [Header]
  attr_reader :header

  # @param folder [String]
  # @param limit [Integer] bytes
  # @param header [Header]
  # @param pid [Integer]
  # @param time [Integer] nanoseconds
  def initialize(folder, limit, header, pid, time)
    @header = header
    @definitions = Definitions.new
    @events = String.new(encoding: Encoding::BINARY)
    @limit = limit
    @end = Header::SIZE
    @written_at = time
    @file = create("#{folder}/#{pid}")
  end

  # @param call [Symbol] one of Header::NAMES
  # @return [void]
  def append(call, time:, duration: 0, error: 0, path: nil, to: nil, result: 0, bytes: 0, descriptor: nil, flags: 0,
             stack: 0, group: 0, thread: 0)
    number = Header::NUMBERS.fetch(call)
    @header.counts[number] += 1
    return @header.dropped += 1 if full?

    @events << [time, result, bytes, duration.clamp(0, 0xffffffff), @definitions.string(path), @definitions.string(to),
                stack, group, thread & 0xffffffff, descriptor || -1, flags & 0xffffffff, 0, number, error].pack(EVENT)
    write(time) if @events.bytesize >= BLOCK || time - @written_at > PERIOD
  end

  # Marks the last written event as failed.
  #
  # @param error [Integer]
  # @return [void]
  def fail_last(error)
    FILE.open(@file, FILE::WRONLY | FILE::BINARY) do |file|
      file.seek(@end - ERROR_SIZE)
      file.write([error].pack("S"))
    end
  end

  # @param time [Integer] nanoseconds
  # @return [void]
  def write(time)
    @written_at = time
    return unless @file

    events = @events
    chunks = chunk(DEFINITIONS, @definitions.bytes) + chunk(EVENTS, events)
    FILE.open(@file, FILE::WRONLY | FILE::BINARY) { |file| put(file, chunks) }
    @end += chunks.bytesize
    @definitions.take
    @events = String.new(encoding: Encoding::BINARY)
  rescue SystemCallError, IOError
    forget(events)
  end

  private

  # @return [String, nil] nil if the file cannot be created
  def create(name)
    number = 0
    begin
      file = "#{name}.#{number}"
      FILE.open(file, CREATE | FILE::BINARY, 0o600) { |open| open.write(@header.whole(@end)) }
      file
    rescue Errno::EEXIST
      number += 1
      retry
    end
  rescue SystemCallError, IOError
    nil
  end

  def full? = @file.nil? || @end + @definitions.bytes.bytesize + @events.bytesize > @limit

  # The header is written last: if the process is killed in between, the log is complete up to the block before.
  def put(file, chunks)
    file.sync = true
    file.seek(@end)
    file.write(chunks)
    file.seek(0)
    file.write(@header.changing(@end + chunks.bytesize))
  end

  def chunk(kind, contents)
    return "".b if contents.empty?

    [kind, contents.bytesize + 16, contents.bytesize, 0].pack("L4") + contents
  end

  # Drops the events, for example on a full disk, where the header can still say how many. The definitions are kept,
  # since later events and definitions use their numbers.
  def forget(events)
    @header.dropped += events.bytesize / Header::EVENT_SIZE
    @events = String.new(encoding: Encoding::BINARY)
    FILE.open(@file, FILE::WRONLY | FILE::BINARY) { |file| file.write(@header.changing(@end)) }
  rescue SystemCallError, IOError
    nil
  end
end
