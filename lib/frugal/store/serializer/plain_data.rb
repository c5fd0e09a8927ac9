# frozen_string_literal: true

module Frugal
  class Store
    module Serializer
      # Data that a format other than Ruby's own gives back as it was. What would
      # come back as something else, such as a Symbol as a String, is refused before
      # anything is written.
      #
      #   PlainData.new("json", keys: [String]).check(1 => 2)   # raises TypeError
      class PlainData
        DEPTH = 100 # of arrays and hashes in each other; also where one contains itself

        # @param format [String] its name, for messages
        # @param integers [Range, nil] those that it has
        # @param binary [Boolean] whether bytes are told from text
        # @param keys [Array<Class>, nil] of hashes; nil: any plain data
        def initialize(format, integers: nil, finite: false, binary: false, keys: nil)
          @format = format
          @integers = integers
          @finite = finite
          @binary = binary
          @keys = keys
        end

        # @raise [TypeError]
        def check(value, depth = 0)
          refuse("data that is more than #{DEPTH} deep, or contains itself") if depth > DEPTH
          reason = trouble(value) and refuse(reason)
          case value
          when Array then value.each { |one| check(one, depth + 1) }
          when Hash then value.each { |key, one| check_key(key, depth) || check(one, depth + 1) }
          end
        end

        # @return [nil]
        def check_key(key, depth = 0)
          return check(key, depth + 1) && nil if @keys.nil?

          refuse("the key #{key.inspect}") unless @keys.include?(key.class)
          check(key) && nil
        end

        # The same data with the keys of hashes in order.
        def sorted(value)
          case value
          when Array then value.map { |one| sorted(one) }
          when Hash then value.map { |key, one| [sorted(key), sorted(one)] }.sort_by { |key, _| [key.class.name, key.inspect] }.to_h
          else value
          end
        end

        private

        def trouble(value)
          case value
          when nil, true, false then nil
          when Integer then "the number #{value}" unless @integers.nil? || @integers.cover?(value)
          when Float then "the number #{value}" if @finite && !value.finite?
          when String then text_trouble(value)
          when Array then "#{value.class}, which is no plain Array" unless value.instance_of?(Array)
          when Hash then hash_trouble(value)
          else "#{value.class}"
          end
        end

        def text_trouble(text)
          return "#{text.class}, which is no plain String" unless text.instance_of?(String)
          return if @binary && text.encoding == Encoding::BINARY
          return if [Encoding::UTF_8, Encoding::US_ASCII].include?(text.encoding) && text.valid_encoding?

          "a String that is #{text.valid_encoding? ? text.encoding : "no valid #{text.encoding}"}"
        end

        def hash_trouble(hash)
          return if hash.instance_of?(Hash) && hash.default.nil? && hash.default_proc.nil? && !hash.compare_by_identity?

          "a Hash with a default, compared by identity, or of another class"
        end

        def refuse(what) = raise(TypeError, "#{@format} cannot hold #{what} as it is: serializer: :marshal can")
      end
    end
  end
end
