# frozen_string_literal: true

module Frugal
  module CLI
    module Walk
      # A path as it is for programs; on a terminal, one that would move the cursor
      # or break the line is quoted, in the way that shells read back.
      #
      #   Names.shown("a\nb", $stdout)   # => "$'a\\nb'" on a terminal
      module Names
        ESCAPES = { "\n" => '\n', "\t" => '\t', "\r" => '\r', "\e" => '\e', "\\" => "\\\\", "'" => "\\'" }.freeze

        class << self
          # @param path [String]
          # @param io [IO] where it will be written
          # @return [String]
          def shown(path, io)
            return "''" if path.empty?

            io.tty? ? quoted(path) : path
          end

          # @return [String] itself where all of it can be seen
          def quoted(path)
            text = path.dup.force_encoding(Encoding.default_external)
            return path if text.valid_encoding? && !text.match?(/[[:cntrl:]]/)

            "$'#{text.each_char.map { |char| character(char) }.join}'"
          end

          private

          def character(char)
            return bytes(char) unless char.valid_encoding?

            ESCAPES.fetch(char) { char.match?(/[[:cntrl:]]/) ? bytes(char) : char }
          end

          # Octal: a hexadecimal escape would swallow the digits that follow.
          def bytes(char) = char.bytes.map { |byte| format('\%03o', byte) }.join
        end
      end
    end
  end
end
