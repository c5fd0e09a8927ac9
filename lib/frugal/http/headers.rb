# frozen_string_literal: true

require_relative "../constants"
require_relative "../platform"

module Frugal
  module HTTP
    # Checks the headers of an error response: a line break would end a header and begin another.
    #
    #   Headers.checked("retry-after" => "5")         # => {"retry-after"=>"5"}, frozen
    #   Headers.checked("location" => "/\r\nset-cookie: a=1")   # ArgumentError
    #
    # Also spells their names for the loaded version of Rack: from Rack 3 on in lower case. With Rack 2, other code may
    # only look up "Content-Type", and several values are the lines of one String.
    module Headers
      # Names that `capitalize` does not spell correctly.
      SPELLED = { "etag" => "ETag", "www-authenticate" => "WWW-Authenticate" }.freeze
      private_constant :SPELLED

      class << self
        # Reports whether Rack requires names in lower case. Without Rack, returns true and caches nothing, because Rack
        # may be loaded later.
        def lowercase?
          return true if @lowercase
          return true unless (release = Constants.loaded("Rack::RELEASE"))

          lowercase = release.to_i >= 3
          Platform.main_ractor? ? @lowercase = lowercase : lowercase
        end

        # @param fields [Hash{String => String, Array<String>}] with names in lower case
        # @return [Hash] a new Hash for Rack 2
        def for_rack_2(fields)
          fields.to_h { |name, value| [spelled(name), Array === value ? value.join("\n") : value] }
        end

        # @param headers [Hash{String => String, Array<String>}]
        # @return [Hash] the headers themselves if they are frozen, else a frozen copy
        # @raise [ArgumentError] for CR, LF or NUL, and for names or values that are not Strings
        def checked(headers)
          raise ArgumentError, "headers must be a Hash (got a #{headers.class})" unless Hash === headers

          headers.each { |name, value| check(name, value) }
          headers.frozen? ? headers : headers.dup.freeze
        end

        # @raise [ArgumentError]
        def check(name, value)
          sendable_value = Array === value ? value.all? { |part| sendable?(part) } : sendable?(value)
          return if sendable_value && sendable?(name) && !name.empty?

          raise ArgumentError, "a header's name and value must be Strings without CR, LF and NUL " \
                               "(got #{name.inspect} => #{value.inspect})"
        end

        # @param name [String] in lower case
        # @return [String] as Rack 2 spells it
        def spelled(name) = SPELLED[name] || name.split("-").map!(&:capitalize).join("-")

        private

        # Bytes that are invalid in their encoding are allowed: some clients expect Latin-1.
        def sendable?(text)
          return false unless String === text && text.encoding.ascii_compatible?

          (text.valid_encoding? ? text : text.b).count("\r\n\0").zero?
        end
      end
    end
  end
end
