# frozen_string_literal: true

module Frugal
  module CLI
    # What to say of an option that there is not.
    module Mistake
      # @param error [OptionParser::ParseError, Error] its suggestion is optparse's: <tt>"\nDid you mean?  json"</tt>
      # @return [String] its message, in one line: <tt>". Did you mean --json?"</tt>; with the bytes of the argument
      def self.words(error)
        words = error.message.b.sub(/\s+Did you mean\?\s+(\S+).*/m) { ". Did you mean #{$1.size == 1 ? "-" : "--"}#{$1}?" }
        words.force_encoding(Encoding::UTF_8)
      end
    end
  end
end
