# frozen_string_literal: true

require "digest"
require "json"

module Frugal
  module SessionsBench
    # The sessions: session N has the same id and contents everywhere.
    module Contents
      SMALL = 200 # bytes as JSON
      LARGE = 1950

      class << self
        # @return [String] the id in the cookie
        def id(number) = format("%064x", number)

        # @return [String] Rack's private id
        def private_id(number) = "2::#{Digest::SHA256.hexdigest(id(number))}"

        # @param bytes [Integer]
        # @return [Hash]
        def session(number, bytes)
          session = { "user_id" => number, "n" => 1_000_000, "csrf" => "x" * 43, "flash" => { "notice" => "saved" }, "note" => "" }
          session["note"] = ("a".."z").to_a.join * (bytes / 26)
          session["note"] = session["note"][0, bytes - JSON.generate({ **session, "note" => "" }).bytesize]
          session
        end
      end
    end
  end
end
