# frozen_string_literal: true

module Frugal
  class Store
    module Serializer
      # Checks that a format other than Marshal can store data unchanged. Data that would be
      # loaded as something else, such as a Symbol as a String, is refused before anything is
      # written.
      #
      #   PlainData.new("json", keys: [String]).check(1 => 2)   # raises TypeError
      class PlainData
        DEPTH = 100 # levels of nested arrays and hashes; also ends the check of an object that contains itself

        # @param format [String] its name, for messages
        # @param integers [Range, nil] the integers that the format supports; nil: all
        # @param finite [Boolean] whether it supports only finite floats
        # @param binary [Boolean] whether it supports binary strings
        # @param keys [Array<Class>, nil] the classes that the keys of hashes may have; nil: any supported data
        def initialize(format, integers: nil, finite: false, binary: false, keys: nil)
          @format = format
          @integers = integers
          @finite = finite
          @binary = binary
          @keys = keys
        end

        # @raise [TypeError]
        def check(value, depth = 0)
          refuse("data that is nested more than #{DEPTH} deep, or contains itself") if depth > DEPTH
          reason = obstacle(value) and refuse(reason)
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

        # Returns the same data with the keys of hashes in order.
        def sorted(value)
          case value
          when Array then value.map { |one| sorted(one) }
          when Hash then sorted_hash(value)
          else value
          end
        end

        private

        def sorted_hash(hash)
          pairs = hash.map { |key, one| [sorted(key), sorted(one)] }
          pairs.sort_by { |key, _| [key.class.name, key.inspect] }.to_h
        end

        # @return [String, nil] the part that the format cannot store
        def obstacle(value)
          case value
          when nil, true, false then nil
          when Integer then "the number #{value}" unless @integers.nil? || @integers.cover?(value)
          when Float then "the number #{value}" if @finite && !value.finite?
          when String then text_obstacle(value)
          when Array then "#{value.class}, a subclass of Array," unless value.instance_of?(Array)
          when Hash then hash_obstacle(value)
          else value.class.to_s
          end
        end

        def text_obstacle(text)
          return "#{text.class}, a subclass of String," unless text.instance_of?(String)
          return if @binary && text.encoding == Encoding::BINARY
          return if [Encoding::UTF_8, Encoding::US_ASCII].include?(text.encoding) && text.valid_encoding?

          "a String in #{"invalid " unless text.valid_encoding?}#{text.encoding}"
        end

        def hash_obstacle(hash)
          return if hash.instance_of?(Hash) && hash.default.nil? && hash.default_proc.nil? && !hash.compare_by_identity?

          "a Hash with a default, one compared by identity, or a subclass of Hash"
        end

        def refuse(what) = raise(TypeError, "#{@format} cannot store #{what} unchanged: serializer: :marshal can")
      end
    end
  end
end
