# frozen_string_literal: true

module Frugal
  class Store
    class Upkeep
      # A store that is one file.
      class OfFile < Upkeep
        # @return [Array<Array(Object, Integer)>] keys, and how many bytes the value of each takes
        def sizes
          index = self.index
          return index.keys.each_with_index.map { |key, root| [key, index.span(root).last] } if index

          serializer = Serializer.of(@format[:serializer], false)
          store.each.map { |key, value| [key, serializer.dump_value(value).bytesize] }
        end

        # @return [String, nil] what is wrong; nil: every root can be read
        def problem
          store.transaction(true) { index || store.each {} }
          nil
        rescue CorruptStore => error
          error.message
        end

        # Writes all of it anew, as it would be if it had never been changed.
        #
        # @return [Array(Integer, Integer)] bytes before and after
        def compact
          before = File.size(@path)
          FileEngine.new(@path, durability: :fast, serializer: Serializer.of(@format[:serializer], false)).rewrite
          [before, File.size(@path)]
        end

        # Of roots that were not decoded, so that no class of theirs need be here.
        #
        # @return [Object, nil]
        def index
          store.keys if File.exist?("#{@path}#{Journal::SUFFIX}") # what a crash left is put right first
          Native.engine::MarshalIndex.new(File.binread(@path)) if @format[:serializer] == :marshal && !File.empty?(@path)
        end
      end
    end
  end
end
