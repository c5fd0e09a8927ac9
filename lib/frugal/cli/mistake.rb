# frozen_string_literal: true

module Frugal
  module CLI
    # What to say of an option that there is not.
    module Mistake
      # @param error [OptionParser::ParseError, Error] its suggestion is optparse's: <tt>"\nDid you mean?  json"</tt>
      # @return [String] its message, in one line: <tt>". Did you mean --json?"</tt>
      def self.words(error)
        error.message.sub(/\s+Did you mean\?\s+(\S+).*/m) { ". Did you mean #{$1.size == 1 ? "-" : "--"}#{$1}?" }
      end
    end
  end
end
