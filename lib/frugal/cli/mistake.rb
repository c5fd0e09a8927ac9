# frozen_string_literal: true

module Frugal
  module CLI
    # How a command says that something is wrong.
    module Mistake
      # @param lines [Array<String>] of any bytes; the last may be what to do next
      # @param status [Integer]
      # @param command [String, nil] whose lines they are, but for the next step
      # @return [Integer] the status
      def self.tell(*lines, status:, command: nil)
        name = "#{command}: " if command
        lines.flat_map { |line| line.b.lines(chomp: true).push(*("" if line.empty?)) }.each do |line|
          $stderr.puts("frugal: #{line.start_with?("next:") ? "" : name}#{line}".b.rstrip)
        end
        status
      end

      # @param error [OptionParser::ParseError, Error] its suggestion is optparse's: <tt>"\nDid you mean?  json"</tt>
      # @return [String] its message, in one line: <tt>". Did you mean --json?"</tt>; with the bytes of the argument
      def self.words(error)
        words = error.message.b.sub(/\s+Did you mean\?\s+(\S+).*/m) { ". Did you mean #{$1.size == 1 ? "-" : "--"}#{$1}?" }
        words.force_encoding(Encoding::UTF_8)
      end
    end
  end
end
