# frozen_string_literal: true

require "json"
require_relative "plain_data"

module Frugal
  class Store
    module Serializer
      # A JSON object with one root on each line: readable for people, other languages and git. Its keys
      # are Strings, its values are JSON values. Loading it runs no code.
      class JSON
        PLAIN = PlainData.new("json", finite: true, keys: [String].freeze)
        NESTING = { max_nesting: PlainData::DEPTH + 1 }.freeze # 1 more for the table
        private_constant :PLAIN, :NESTING

        attr_reader :padding

        def initialize(canonical: false)
          @canonical = canonical
          @padding = "\n"
        end

        def name = :json
        def canonical? = @canonical

        def check_key(key)
          unless String === key
            raise UsageError, "json requires Strings as keys (got #{key.inspect}): " \
                              "use #{key.to_s.inspect}, or serializer: :marshal"
          end

          PLAIN.check(key)
        rescue TypeError => e
          raise UsageError, e.message
        end

        def load(bytes)
          table = load_value(bytes)
          raise CorruptStore, "it contains #{table.class} instead of an object of roots" unless table.is_a?(Hash)

          table
        end

        def load_value(bytes)
          ::JSON.parse(bytes.dup.force_encoding(Encoding::UTF_8), create_additions: false, **NESTING)
        rescue ::JSON::ParserError, EncodingError => e
          raise CorruptStore, e.message.scrub.lines.first.to_s.chomp[0, 200]
        end

        def dump(table)
          PLAIN.check(table)
          table = PLAIN.sorted(table) if @canonical
          return "{}\n" if table.empty?

          lines = table.map { |key, value| "#{::JSON.generate(key)}: #{::JSON.generate(value, NESTING)}" }
          "{\n#{lines.join(",\n")}\n}\n"
        end

        def dump_value(value)
          PLAIN.check(value)
          ::JSON.generate(@canonical ? PLAIN.sorted(value) : value, NESTING)
        end
      end
    end
  end
end
