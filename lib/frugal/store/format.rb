# frozen_string_literal: true

require_relative "../store"

module Frugal
  class Store
    # What kind of store a file is, told by its first bytes; nothing of it is decoded.
    #
    #   Frugal::Store::Format.of("app.store")   # => {engine: :file, serializer: :marshal}
    module Format
      SQLITE = "SQLite format 3\0".b.freeze
      HEADS = { marshal: /\A\x04[\x00-\x08]/n, json: /\A\s*\{/n, messagepack: /\A[\x80-\x8F\xDE\xDF]/n }.freeze
      ENDINGS = { ".json" => { engine: :file, serializer: :json }, ".msgpack" => { engine: :file, serializer: :messagepack },
                  ".db" => { engine: :sqlite }, ".sqlite" => { engine: :sqlite }, ".sqlite3" => { engine: :sqlite } }.freeze
      private_constant :SQLITE, :HEADS, :ENDINGS

      class << self
        # @param path [String]
        # @return [Hash] the options +engine:+ and +serializer:+ that open it
        # @raise [CorruptStore] where it looks like no store
        # @raise [SystemCallError, UsageError]
        def of(path)
          raise UsageError, "#{path} is no regular file, so it cannot be a store" if File.exist?(path) && !File.file?(path) && !File.directory?(path)

          head = File.open(path, "rb") { |io| io.read(SQLITE.bytesize) }
          return { engine: :file, serializer: :marshal } if head.nil?
          return { engine: :sqlite, serializer: SQLiteEngine.serializer_of(path) } if head == SQLITE

          serializer, = HEADS.find { |_, pattern| pattern.match?(head) }
          raise CorruptStore, "#{path} is no store that frugal knows: #{description(path, head)}" unless serializer

          { engine: :file, serializer: serializer }
        end

        # What the end of a name that is to be written says.
        #
        # @return [Hash]
        def by_name(path) = ENDINGS.fetch(File.extname(path).downcase, {})

        private

        def description(path, head)
          if head.start_with?("---") then "it begins as YAML does; a YAML::Store is read by YAML::Store"
          elsif path.end_with?(Journal::SUFFIX) then "it is the journal of #{path.delete_suffix(Journal::SUFFIX)}"
          else "it begins with #{head.inspect}"
          end
        end
      end
    end
  end
end
