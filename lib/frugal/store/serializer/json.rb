# frozen_string_literal: true

require "json"
require_relative "plain_data"

module Frugal
  class Store
    module Serializer
      # A JSON object, a root a line: for people, other languages and git. Its keys
      # are Strings, its values JSON's own; loading it runs no code.
      class JSON
        PLAIN = PlainData.new("json", finite: true, keys: [String].freeze)
        NESTING = { max_nesting: PlainData::DEPTH + 1 }.freeze # the table, too
        private_constant :PLAIN, :NESTING

        attr_reader :padding

        def initialize(canonical: false)
          @canonical = canonical
          @padding = "\n" # so that a kill before a file is cut leaves no old data
        end

        def name = :json
        def canonical? = @canonical

        def check_key(key)
          raise UsageError, "json has Strings for keys, and #{key.inspect} is none: use #{key.to_s.inspect}, or serializer: :marshal" unless String === key

          PLAIN.check(key)
        rescue TypeError => error
          raise UsageError, error.message
        end

        def load(bytes)
          table = load_value(bytes)
          raise CorruptStore, "it holds no object of roots, but #{table.class}" unless table.is_a?(Hash)

          table
        end

        def load_value(bytes)
          ::JSON.parse(bytes.dup.force_encoding(Encoding::UTF_8), create_additions: false, **NESTING)
        rescue ::JSON::ParserError, EncodingError => error
          raise CorruptStore, error.message.scrub.lines.first.to_s.chomp[0, 200]
        end

        def dump(table)
          PLAIN.check(table)
          table = PLAIN.sorted(table) if @canonical
          return "{}\n" if table.empty?

          "{\n#{table.map { |key, value| "#{::JSON.generate(key)}: #{::JSON.generate(value, NESTING)}" }.join(",\n")}\n}\n"
        end

        def dump_value(value)
          PLAIN.check(value)
          ::JSON.generate(@canonical ? PLAIN.sorted(value) : value, NESTING)
        end
      end
    end
  end
end
