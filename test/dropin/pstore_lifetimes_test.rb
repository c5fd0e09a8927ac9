# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/pstore"
require "yaml/store"
require "weakref"

# What PStore objects of one file share, and what each has for itself, as they are created and collected:
# hooks, tables, locks and memory. Each case comes from an adversarial review of the kept files.
class PStoreLifetimesTest < Frugal::TestCase
  # Encrypts what it writes.
  class Sealed < PStore
    private

    def dump(table) = seal(super)
    def load(content) = super(seal(content.respond_to?(:read) ? content.read : content))
    def empty_marshal_data = dump({})
    def empty_marshal_checksum = CHECKSUM_ALGO.digest(empty_marshal_data)
    def seal(bytes) = bytes.b.unpack("C*").map { |byte| byte ^ 42 }.pack("C*")
  end

  class Peeking < PStore
    def peek(key) = @table[key]
  end

  def setup
    @path = path("a.store")
    change(@path) { |store| store.transaction { [store[:a] = "x", store[:n] = 0] } }
  end

  def test_an_index_is_not_used_for_another_format
    read(@path)
    store = YAML::Store.new(@path)
    assert_raises(Psych::SyntaxError) { store.transaction(true) { store[:a] } }
    sealed = path("sealed")
    2.times { change(sealed, Sealed) { |one| one.transaction { one[:secret] = "swordfish" } } }
    assert_equal "swordfish", Sealed.new(sealed).then { |one| one.transaction(true) { one[:secret] } }
    refute_includes File.binread(sealed), "swordfish"
    assert_raises(PStore::Error, TypeError, ArgumentError) { read(sealed) }
  end

  def test_hooks_of_one_object_are_not_used_for_another
    one, other = Array.new(2) { PStore.new(@path).tap { |store| 2.times { store.transaction { store[:a] } } } }
    def one.load(content) = super.merge(from: :one)
    kind = self.class.const_set(:Odd, Class.new(StandardError))
    File.binwrite(@path, Marshal.dump({ a: kind.new }))
    one.transaction(true) { one[:a] }
    assert_equal [:a], other.transaction(true) { other.roots }
  ensure
    self.class.send(:remove_const, :Odd)
  end

  # Its lock is released when it is collected, as that of stock's File. Some may still be on the stack.
  def test_a_transaction_that_was_abandoned_in_a_fiber
    skip "the pure engine keeps 32 stores" unless Frugal::Native.engine_name == :c
    script = <<~'RUBY'
      def abandon(file)
        PStore.new(file).transaction { |store| store[:a] = 1 }
        Enumerator.new { |yielder| PStore.new(file).transaction { |store| yielder << store[:a] } }.next
        nil
      end
      def deep(depth) = depth.zero? ? ARGV.each { |file| abandon(file) } && nil : deep(depth - 1)
      def clear(depth) = depth.zero? ? Array.new(100) { Object.new } && nil : clear(depth - 1)
      deep(50)
      10.times { clear(100); GC.start }
      puts(ARGV.count { |file| File.open(file) { |io| io.flock(File::LOCK_EX | File::LOCK_NB) } })
    RUBY
    files = Array.new(10) { |number| path(number.to_s) }
    assert_operator run_ruby("-rfrugal/pstore", "-e", script, *files, timeout: 30).out.to_i, :>, 5
  end

  # The child inherits an image that a thread of its parent was about to replace.
  def test_a_fork_while_another_thread_reads
    kept = PStore.new(@path)
    2.times { kept.transaction(true) { kept[:a] } }
    File.binwrite(@path, Marshal.dump({ a: "y" * 40, n: 5 }))
    reading = Queue.new
    go_on = Queue.new
    thread = Thread.new { paused_after_the_read(reading, go_on) { kept.transaction(true) { kept[:a] } } }
    reading.pop
    child = fork do
      store = PStore.new(@path)
      exit!(store.transaction(true) { store[:a] } == "y" * 40 ? 0 : 1)
    end
    assert_predicate Process.wait2(child).last, :success?
    go_on << true
    assert_equal "y" * 40, thread.value
  end

  def test_after_a_transaction_each_object_has_its_own_table
    store = Peeking.new(@path)
    2.times { store.transaction { store[:a] } }
    change(@path) { |other| other.transaction { [other[:a] = "never committed", other.abort] } }
    assert_equal "x", store.peek(:a)
    File.binwrite(@path, Marshal.dump({ a: "by somebody else", c: 1 }))
    assert_equal "by somebody else", change(@path) { |other| other.transaction(true) { other[:a] } }
    assert_equal ["x", 0, nil], [store.peek(:a), store.peek(:n), store.peek(:c)]
    assert_equal [1, "by somebody else"], store.transaction(true) { [store[:c], store[:a]] }
  end

  def test_values_of_a_transaction_are_not_kept_alive
    skip "the pure engine keeps 32 stores" unless Frugal::Native.engine_name == :c
    references = Array.new(10) do |number|
      file = path(number.to_s)
      change(file) { |store| store.transaction { store[:text] = "text" } }
      value = Object.new
      change(file) { |store| store.transaction { [store[:text] = value, store.abort] } }
      WeakRef.new(value)
    end
    4.times { GC.start }
    assert_operator references.count(&:weakref_alive?), :<, 5
  end

  def test_stores_that_grow_stay_within_the_memory_limit
    skip "only the C engine shares kept files" unless Frugal::Native.engine_name == :c
    kept = Frugal::Native.engine::StoreFile.method(:kept)
    12.times do |number|
      16.times { |turn| change(path(number.to_s)) { |store| store.transaction { store[turn] = "x" * 500_000 } } }
    end
    assert_operator kept.call.sum(&:memsize), :<=, Frugal::Dropin::Pstore::KeptFiles::MEMORY
  ensure
    kept&.call&.each(&:drop)
  end

  # While the garbage collector compacts, it protects the pages of embedded strings.
  def test_transactions_while_the_heap_is_compacted
    skip "this Ruby has no compaction" unless GC.respond_to?(:compact)
    done = false
    compacting = Thread.new { GC.compact && sleep(0.002) until done } # the sleep lets the writers run
    writers = Array.new(2) do |number|
      Thread.new do
        400.times do
          change(path(number.to_s)) { |store| store.transaction { store[:n] = store.fetch(:n, 0) + 1 } }
        end
      end
    end
    writers.each(&:join)
    done = true
    compacting.join
    assert_equal([400, 400], [0, 1].map { |number| read(path(number.to_s)) })
  rescue NotImplementedError
    skip "this Ruby has no compaction"
  end

  private

  def change(file, kind = PStore) = yield(kind.new(file))

  def read(file) = change(file) { |store| store.transaction(true) { store[:n] } }

  def paused_after_the_read(reading, go_on, &block)
    paused = false
    trace = TracePoint.new(:return, :c_return) do |point|
      next if paused || point.method_id != :read || !(Frugal::Native.engine::StoreFile === point.self)

      paused = true
      reading << true
      go_on.pop
    end
    trace.enable(target_thread: Thread.current, &block)
  end
end
