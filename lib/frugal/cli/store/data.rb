# frozen_string_literal: true

module Frugal
  module CLI
    module Store
      # Converts any object to JSON data. An object without a JSON type becomes the result of `inspect`.
      #
      #   Data.of(a: [1, :b])   # => {"inspect: :a" => [1, {"inspect" => ":b"}]}
      module Data
        class << self
          # @return [Object] nil, booleans, numbers, Strings, Arrays and Hashes of these
          def of(object)
            case object
            when nil, true, false, Integer then object
            when Float then object.finite? ? object : shown(object)
            when String then text(object) || shown(object)
            when Array then object.instance_of?(Array) ? object.map { |one| of(one) } : shown(object)
            when Hash
              object.instance_of?(Hash) ? object.to_h { |key, value| [key(key), of(value)] } : shown(object)
            else shown(object)
            end
          rescue SystemStackError
            shown(object) # the object contains itself
          end

          private

          def key(key) = (text(key) if key.instance_of?(String)) || "inspect: #{inspected(key)}"

          def text(string)
            return unless string.instance_of?(String)

            return unless string.ascii_only? || string.encoding == Encoding::UTF_8

            text = string.dup.force_encoding(Encoding::UTF_8)
            text if text.valid_encoding?
          end

          def shown(object) = { "inspect" => inspected(object) }

          def inspected(object) = object.inspect.encode(Encoding::UTF_8, invalid: :replace, undef: :replace)
        end
      end
    end
  end
end
