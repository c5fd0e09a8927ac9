# frozen_string_literal: true

require "json"

module Frugal
  module Profile
    module Report
      # Members of JSON objects for names of any bytes. JSON is UTF-8: for a name that is not, `path_base64` replaces
      # `path`.
      module JSONMember
        # Texts that need no escapes in JSON.
        PLAIN = /\A[ !#-\[\]-~]*\z/
        private_constant :PLAIN

        module_function

        # @param name [String] of the member
        # @param bytes [String, nil]
        # @return [Hash{String => String, nil}]
        def of(name, bytes)
          return { name => nil } unless bytes

          text = utf8(bytes)
          text ? { name => text } : { "#{name}_base64" => [bytes].pack("m0") }
        end

        # @param name [String] of the member
        # @param list [Array<String>]
        # @return [Hash{String => Array<String>}] all names in `name_base64` if one of them is not UTF-8
        def list(name, list)
          texts = list.map { |bytes| utf8(bytes) }
          texts.all? ? { name => texts } : { "#{name}_base64" => list.map { |bytes| [bytes].pack("m0") } }
        end

        # @return [String] such as `"path":"/app/a"`
        def text(name, bytes) = append("\"#{name}", bytes)

        # Continues a text after the name of a member; allocates no Hash if the bytes are plain ASCII.
        #
        # @param text [String] ends with such as `"path`
        # @param bytes [String, nil]
        # @return [String] the text
        def append(text, bytes)
          return text << "\":null" unless bytes
          return text << "\":\"" << bytes << "\"" if bytes.ascii_only? && bytes.match?(PLAIN)

          text << ::JSON.generate(of("", bytes))[2..-2]
        end

        # @param bytes [String]
        # @return [String, nil] nil if the bytes are not UTF-8
        def utf8(bytes)
          return bytes if bytes.encoding == Encoding::UTF_8 && bytes.valid_encoding?

          text = bytes.dup.force_encoding(Encoding::UTF_8)
          text if text.valid_encoding?
        end
      end
    end
  end
end
