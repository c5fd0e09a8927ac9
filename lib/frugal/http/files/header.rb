# frozen_string_literal: true

require_relative "../headers"

module Frugal
  class Files
    # The names of headers as the loaded version of Rack spells them: in lower case from Rack 3.0 on.
    module Header
      def self.spell(name) = (HTTP::Headers.lowercase? ? name : HTTP::Headers.spelled(name)).freeze
      private_class_method :spell

      ALLOW = spell("allow")
      CONTENT_ENCODING = spell("content-encoding")
      CONTENT_LENGTH = spell("content-length")
      CONTENT_RANGE = spell("content-range")
      CONTENT_TYPE = spell("content-type")
      ETAG = spell("etag")
      LAST_MODIFIED = spell("last-modified")
      VARY = spell("vary")
      X_CASCADE = spell("x-cascade")

      # The headers that a 304 response shares with the full response.
      KEPT_BY_304 = /\A(?:cache-control|expires|content-location|vary)\z/i
    end
  end
end
