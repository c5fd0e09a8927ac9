# frozen_string_literal: true

require_relative "../constants"
require_relative "../main_ractor"

module Frugal
  module HTTP
    # What can be sent as a header, and what would end it and begin another.
    #
    #   Headers.checked("retry-after" => "5")         # => {"retry-after"=>"5"}, frozen
    #   Headers.checked("location" => "/\r\nset-cookie: a=1")   # ArgumentError
    #
    # And how the Rack that is loaded wants them: from 3 on in small letters; before, what
    # looks a header up may know "Content-Type" alone, and several values are lines of one.
    module Headers
      # What is not spelled by the rule.
      SPELLED = { "etag" => "ETag", "www-authenticate" => "WWW-Authenticate" }.freeze
      private_constant :SPELLED

      class << self
        # Whether Rack wants small letters. It may be loaded after us, so only a yes is for good.
        def small?
          return true if @small
          return true unless (release = Constants.loaded("Rack::RELEASE"))

          small = release.to_i >= 3
          MainRactor.here? ? @small = small : small
        end

        # @param fields [Hash{String => String, Array<String>}] in small letters
        # @return [Hash] a new one, as Rack 2 has it
        def for_rack_2(fields) = fields.to_h { |name, value| [spelled(name), Array === value ? value.join("\n") : value] }

        # @param headers [Hash{String => String, Array<String>}]
        # @return [Hash] a frozen one, theirs where that is frozen
        # @raise [ArgumentError] for CR, LF or NUL, and for what is no String
        def checked(headers)
          Hash === headers or raise ArgumentError, "the headers are a #{headers.class}; they must be a Hash"

          headers.each { |name, value| check(name, value) }
          headers.frozen? ? headers : headers.dup.freeze
        end

        # @raise [ArgumentError]
        def check(name, value)
          return if sendable?(name) && !name.empty? && (Array === value ? value.all? { |part| sendable?(part) } : sendable?(value))

          raise ArgumentError, "this header cannot be sent: #{name.inspect} => #{value.inspect}; both are Strings, without CR, LF and NUL"
        end

        # @param name [String] in small letters
        # @return [String] as Rack 2 has it
        def spelled(name) = SPELLED[name] || name.split("-").map!(&:capitalize).join("-")

        private

        # Bytes that are no text in their encoding are allowed: some clients want latin1.
        def sendable?(text)
          String === text && text.encoding.ascii_compatible? && (text.valid_encoding? ? text : text.b).count("\r\n\0").zero?
        end
      end
    end
  end
end
