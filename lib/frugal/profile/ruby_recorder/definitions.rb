# frozen_string_literal: true

# The names of a log, numbered from 1, each written once; the same as ext/frugal_recorder/log_definitions.c.
class Definitions
  STRING, FRAME, STACK, DECLARATION = 1, 3, 4, 6
  private_constant :STRING, :FRAME, :STACK, :DECLARATION

  # @return [String] the definitions that are not in the file yet
  attr_reader :bytes

  def initialize
    @count = 0
    @bytes = String.new(encoding: Encoding::BINARY)
    @known = {}
  end

  # @return [String] the definitions up to now, which the caller must write to the file
  def take
    taken = @bytes
    @bytes = String.new(encoding: Encoding::BINARY)
    taken
  end

  # @param text [String, nil]
  # @return [Integer] 0 for nil
  def string(text) = text ? define(STRING, text.b) : 0

  # @param file [String, nil] nil for a method that is written in C or Java
  # @param line [Integer]
  # @param label [String]
  # @return [Integer]
  def frame(file, line, label) = define(FRAME, [string(file), file ? line : 0, string(label)].pack("L3"))

  # @param frames [Array<Integer>]
  # @return [Integer]
  def stack(frames) = define(STACK, frames.pack("L*"))

  # @param directory [String]
  # @param words [String]
  # @return [void]
  def declare(directory, words) = add(DECLARATION, [string(directory)].pack("L") + words.b)

  private

  def define(kind, content)
    known = (@known[kind] ||= {})
    known[content] ||= add(kind, content)
  end

  def add(kind, content)
    @bytes << [kind, content.bytesize].pack("L2") << content << ("\0" * (-content.bytesize & 3))
    @count += 1
  end
end
