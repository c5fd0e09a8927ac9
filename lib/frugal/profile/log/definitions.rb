# frozen_string_literal: true

require_relative "../stack"

module Frugal
  module Profile
    class Log
      # The names in a log: strings, paths, frames and stacks, numbered from 1.
      class Definitions
        STRING, PATH, FRAME, STACK, LABEL, DECLARATION = 1, 2, 3, 4, 5, 6
        private_constant :STRING, :PATH, :FRAME, :STACK, :LABEL, :DECLARATION

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
          @declarations = []
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
            @declarations << @contents.last if kind == DECLARATION
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

        # @return [Array<Array(String, String)>] the current directory, or "" if there was none, and a text
        def declarations
          @declarations.map { |content| [path(content.unpack1("L")).to_s, content.byteslice(4..)] }
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
            Frame.new(file.zero? ? nil : string(file), file.zero? ? nil : line,
                      label.zero? ? nil : string(label)).freeze
          end
        end

        def note_label(content)
          frame, label = content.unpack("L2")
          @labels[frame] = label
        end
      end
    end
  end
end
