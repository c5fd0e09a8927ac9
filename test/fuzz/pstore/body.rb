# frozen_string_literal: true

module PStoreFuzz
  # One transaction of a program: its operations and its end.
  class Body
    class Stop < StandardError; end

    def initialize(store, events)
      @store = store
      @events = events
    end

    def transaction(read_only, operations, ending)
      return catch(:elsewhere) { returning(read_only, operations, ending) } unless ending == :break

      @store.transaction(read_only) do
        perform(operations)
        break :broken
      end
    end

    private

    def returning(read_only, operations, ending)
      @store.transaction(read_only) do |store|
        note(:yields) { store.equal?(@store) }
        perform(operations)
        return :returned if ending == :return

        finish(ending)
      end
    end

    def finish(ending)
      case ending
      when :abort, :commit then @store.public_send(ending)
      when :raise then raise Stop, "stop"
      when :throw then throw :elsewhere, :thrown
      when :nested then note(:nested) { @store.transaction { :inner } }
      when :thread then inner_transaction_in_a_thread unless @store.instance_variable_get(:@thread_safe)
      when :procs then @store[:proc] = proc {}
      end
      :end
    end

    def inner_transaction_in_a_thread
      note(:thread) { in_thread { @store.transaction { :inner } } }
    end

    def perform(operations) = operations.each { |operation| note(operation.first) { one(*operation) } }

    # Records the result or the error of an operation; after an error the transaction continues.
    def note(name)
      @events << "    #{name} #{Description.of(yield)}"
    rescue StandardError => e
      @events << "    #{name} #{e.class}: #{e.message}"
    end

    def one(name, key, other, number)
      case name
      when :get then @store[key]
      when :fetch then @store.fetch(key)
      when :fetch_default then @store.fetch(key, other)
      when :set then @store[key] = other
      when :delete then @store.delete(key)
      when :key then @store.root?(key)
      when :roots then @store.roots
      when :change then change(@store[key], number)
      when :share then @store[other] = @store[key]
      when :same then @store[other].equal?(@store[key])
      when :again then @store[key] = @store[key]
      when :each_changed then @store.roots.each { |root| change(@store[root], number) }
      when :thread_reads then in_thread { @store[key] }
      end
    end

    # A generator of its own, so that both sides draw the same numbers.
    def change(value, number)
      Values.new(Random.new(number), plain: true).change(value)
    end

    def in_thread(&block)
      Thread.new(&block).tap { |thread| thread.report_on_exception = false }.value
    end
  end
end
