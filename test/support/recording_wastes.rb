# frozen_string_literal: true

require_relative "recording_builder"

# Wastes that several tests build, as words of a recording's program.
class RecordingBuilder
  def create(made:, present:)
    (made + present).times do |i|
      directory "d#{i}" if i < present
      line 4, "exist?", fill: 7
      stat "d#{i}"
      line 4, "mkdir"
      mkdir "d#{i}" if i >= present
    end
  end

  def walk(size, inner: "children", **place)
    folders = Array.new(size) { |i| i.zero? ? "t" : "t/#{i}" }
    (folders - @entries.keys.map { |path| path.delete_prefix("/w/") }).each { |folder| directory(folder) }
    folders.each { |folder| line(4, inner, **place) && list(folder) }
  end

  def tiny(reads:, path: "f", content: "x" * 400, piece: nil, waits: false)
    file path, content
    line 4, "sysread"
    descriptor = open(path)
    fstat descriptor
    reads.times { |i| waits && wait; read(descriptor, piece || format("%08d", i)) }
    close descriptor
  end

  def digests(times, waits: false, **place)
    times.times do |i|
      line(4, "digest", **place)
      call :digest, bytes: 5, result: 77
      wait if waits
      yield i if block_given?
    end
  end

  def backtraces(times, bytes:, path: nil)
    times.times do
      line 4, "backtrace"
      call :backtrace, bytes: 40
      line 5
      call :write, path, bytes: bytes
    end
  end
end
