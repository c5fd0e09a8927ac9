# frozen_string_literal: true

require_relative "contents"
require_relative "../support/clock"

module Frugal
  module PStoreBench
    # Transactions on one store, many at a time. Keys and values are made before
    # the clock starts; the loops are written out, as a call in between would be
    # measured too.
    #
    # [read]      a transaction that reads a root
    # [cold]      the same, as the first of a new object, after somebody touched the file
    # [unchanged] a transaction that assigns a root what it is
    # [change]    one that assigns a root another value of the same size
    # [resize]    and of another size
    class Work
      # @param path [String]
      # @param contents [Contents] of that file
      # @yieldreturn [PStore, Store] a new object
      def initialize(path, contents, &open)
        @path = path
        @contents = contents
        @open = open
        @store = open.call
        @turn = 0
      end

      # Garbage of the one before is not the next one's cost; its own is.
      #
      # @param action [String]
      # @param count [Integer]
      # @return [Float] seconds for all of them
      def run(action, count)
        turns = Array.new(count) { @turn += 1 }
        keys = turns.map { |turn| @contents.key(turn, action) }
        values = turns.map { |turn| @contents.value(turn, action) } unless %w[read cold].include?(action)
        GC.start
        case action
        when "read" then read(keys)
        when "cold" then cold(keys)
        else write(keys, values).tap { @written = [keys.last, values.last] }
        end
      end

      # @return [Object] what the file says of the root that was written last; nil where none was
      # @raise [RuntimeError] where that is not what was written
      def check
        return unless @written

        key, value = @written
        found = plain? ? Marshal.load(File.binread(@path))[key] : @open.call.transaction(true) { |store| store[key] }
        raise "#{key} is #{found.inspect} in #{@path}, and not #{value.inspect}" unless found == value
      end

      private

      def read(keys)
        store = @store
        index = -1
        value = nil
        seconds = Bench::Clock.seconds do
          while (key = keys[index += 1])
            store.transaction(true) { value = store[key] }
          end
        end
        value.nil? ? raise("#{keys.last} is not in #{@path}") : seconds
      end

      def cold(keys)
        keys.sum do |key|
          File.utime(nil, nil, @path)
          value = nil
          seconds = Bench::Clock.seconds do
            store = @open.call
            store.transaction(true) { value = store[key] }
          end
          value.nil? ? raise("#{key} is not in #{@path}") : seconds
        end
      end

      def write(keys, values)
        store = @store
        index = -1
        Bench::Clock.seconds do
          while (key = keys[index += 1])
            value = values[index]
            store.transaction { store[key] = value }
          end
        end
      end

      def plain? = File.binread(@path, 2) == "\x04\b".b
    end
  end
end
