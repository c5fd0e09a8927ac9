# frozen_string_literal: true

require_relative "../platform"
require_relative "serializer"
require_relative "file/engine"

module Frugal
  class Store
    # Creates the engine for the option +engine:+, and checks the other options for it.
    class EngineChoice
      ENGINES = { file: "FileEngine", sqlite: "SQLite::Engine", redis: "Redis::Engine" }.freeze
      DEFAULT_SERIALIZERS = { redis: :json }.freeze # other programs may write to the server
      private_constant :ENGINES, :DEFAULT_SERIALIZERS

      # @param name [Symbol]
      # @raise [UsageError]
      def initialize(name)
        Serializer.check_option("engine", name, ENGINES.keys)
        @name = name
      end

      # @param path [String]
      # @param serializer [Symbol, nil] nil: the engine's default
      # @param options [Hash] options of the engine +:redis+
      # @return [FileEngine, SQLite::Engine, Redis::Engine]
      # @raise [UsageError]
      def make(path, serializer, canonical, durability:, **options)
        Serializer.check_option("durability", durability, DURABILITIES)
        unless Platform.main_ractor?
          raise UsageError, "a store can be used in the main Ractor only: send it messages from the others"
        end

        check_file(path, options) unless @name == :redis
        serializer = Serializer.of(serializer || DEFAULT_SERIALIZERS.fetch(@name, :marshal), canonical)
        Store.const_get(ENGINES.fetch(@name)).new(path, durability: durability, serializer: serializer, **options)
      end

      private

      def check_file(path, options)
        unless options.empty?
          raise UsageError, "#{options.keys.first}: is an option of engine: :redis (got engine: #{@name.inspect})"
        end
        return if File.directory?(File.dirname(path))

        raise UsageError, "no directory #{File.dirname(path)} for the store #{path}: create it first"
      end
    end
  end
end
