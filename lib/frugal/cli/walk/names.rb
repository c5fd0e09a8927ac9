# frozen_string_literal: true

module Frugal
  module CLI
    module Walk
      # Paths in the output. On a terminal, a path with line breaks or other control
      # characters is quoted in the syntax of shells. Elsewhere it is unchanged.
      #
      #   Names.displayed("a\nb", $stdout)   # => "$'a\\nb'" on a terminal
      module Names
        ESCAPES = { "\n" => '\n', "\t" => '\t', "\r" => '\r', "\e" => '\e', "\\" => "\\\\", "'" => "\\'" }.freeze

        class << self
          # @param path [String]
          # @param io [IO] where the path will be written
          # @return [String]
          def displayed(path, io)
            return "''" if path.empty?

            io.tty? ? quoted(path) : path
          end

          # @return [String] the path itself if all its characters are visible
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

          # Octal, since a shell reads the digits after a hexadecimal escape as part of it.
          def bytes(char) = char.bytes.map { |byte| format('\%03o', byte) }.join
        end
      end
    end
  end
end
