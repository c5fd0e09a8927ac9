# frozen_string_literal: true

require_relative "../store"

module Frugal
  class Store
    # Detects engine and serializer of a store by the first bytes of its file, without
    # decoding it.
    #
    #   Frugal::Store::Format.of("app.store")   # => {engine: :file, serializer: :marshal}
    module Format
      SQLITE = "SQLite format 3\0".b.freeze
      HEADS = { marshal: /\A\x04[\x00-\x08]/n, json: /\A\s*\{/n, messagepack: /\A[\x80-\x8F\xDE\xDF]/n }.freeze
      SERVER = %r{\A(?:rediss?|unix)://}n
      EXTENSIONS = { ".json" => { engine: :file, serializer: :json },
                     ".msgpack" => { engine: :file, serializer: :messagepack },
                     ".db" => { engine: :sqlite }, ".sqlite" => { engine: :sqlite },
                     ".sqlite3" => { engine: :sqlite } }.freeze
      private_constant :SQLITE, :HEADS, :SERVER, :EXTENSIONS

      class << self
        # Reports whether the path is the URL of a store of +:redis+.
        def url?(path) = path.b.match?(SERVER)

        # @param path [String] or the URL of a store of +:redis+
        # @return [Hash] the options +engine:+ and +serializer:+ that open it
        # @raise [CorruptStore] if the file does not begin like a store
        # @raise [SystemCallError, UsageError]
        def of(path)
          return { engine: :redis, serializer: Redis::Engine.serializer_of(path) } if url?(path)

          if File.exist?(path) && !File.file?(path) && !File.directory?(path)
            raise UsageError, "#{path} is not a regular file, so it cannot be a store"
          end

          head = File.open(path, "rb") { |io| io.read(SQLITE.bytesize) }
          return { engine: :file, serializer: :marshal } if head.nil?
          return { engine: :sqlite, serializer: SQLite::Engine.serializer_of(path) } if head == SQLITE

          serializer, = HEADS.find { |_, pattern| pattern.match?(head) }
          raise CorruptStore, "#{path} is not a store: #{description(path, head)}" unless serializer

          { engine: :file, serializer: serializer }
        end

        # The options of a new store by the extension of its name.
        #
        # @return [Hash]
        def by_name(path) = EXTENSIONS.fetch(File.extname(path).downcase, {})

        private

        def description(path, head)
          if head.start_with?("---") then "it begins like YAML, and only YAML::Store reads a YAML::Store"
          elsif path.end_with?(Journal::SUFFIX) then "it is the journal of #{path.delete_suffix(Journal::SUFFIX)}"
          else "it begins with #{head.inspect}"
          end
        end
      end
    end
  end
end
