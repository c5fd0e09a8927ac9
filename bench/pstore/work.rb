# frozen_string_literal: true

require_relative "contents"
require_relative "../support/clock"

module Frugal
  module PStoreBench
    # Transactions on one store, many at a time. Keys and values are created before the
    # clock starts. The loops are not shared, because a call between the loop and the
    # transaction would be measured, too.
    #
    # [read]      a transaction that reads a root
    # [new]       the same by a new object, whose creation is included
    # [cold]      the same, after the time of the file has changed
    # [unchanged] a transaction that assigns an equal value to a root
    # [change]    a transaction that assigns another value of the same size to a root
    # [resize]    a transaction that assigns a value of another size to a root
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

      # Runs transactions. Garbage is collected before, so that only their own garbage counts.
      #
      # @param action [String]
      # @param count [Integer]
      # @return [Float] seconds for all of them
      def run(action, count)
        turns = Array.new(count) { @turn += 1 }
        keys = turns.map { |turn| @contents.key(turn, action) }
        values = turns.map { |turn| @contents.value(turn, action) } unless %w[read new cold].include?(action)
        GC.start
        case action
        when "read" then read(keys)
        when "new" then read_with_new_objects(keys)
        when "cold" then cold(keys)
        else write(keys, values).tap { @written = [keys.last, values.last] }
        end
      end

      # @return [Object] the value of the root that was written last; nil if none was written
      # @raise [RuntimeError] if that is not the value that was written
      def check
        return unless @written

        key, value = @written
        found = marshal? ? Marshal.load(File.binread(@path))[key] : @open.call.transaction(true) { |store| store[key] }
        raise "#{key} is #{found.inspect} in #{@path} instead of #{value.inspect}" unless found == value
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

      def read_with_new_objects(keys)
        index = -1
        value = nil
        seconds = Bench::Clock.seconds do
          while (key = keys[index += 1])
            store = @open.call
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

      # Whether the file is a Marshal dump, as PStore writes it.
      def marshal? = File.binread(@path, 2) == "\x04\b".b
    end
  end
end
