# frozen_string_literal: true

# The program that pstore_test.rb runs with stock and with the drop-in. Each case runs in a
# process and a folder of its own, and prints its result on one line.
#
#   ruby -I tmp/pstores/gems/pstore-0.3.0/lib pstore_cases.rb FOLDER
require "pstore"
require "yaml/store"
require "json"
require "timeout"
require_relative "../support/ractor_value"

# Each public method is a case.
class PStoreCases
  def a_second_store_in_one_thread
    first, second = Array.new(2) { PStore.new("a") }
    first.transaction { first[:a] = 1 }
    [[false, false], [false, true], [true, false], [true, true]].map do |outer, inner|
      limited { first.transaction(outer) { second.transaction(inner) { second[:a] } } }
    end
  end

  def a_second_store_in_another_thread
    first, second = Array.new(2) { PStore.new("a", true) }
    order = Queue.new
    first.transaction do
      Thread.new { second.transaction { order << second[:a] } }
      sleep 0.05
      first[:a] = 1
    end
    order.pop
  end

  def a_fork_in_a_transaction
    store = PStore.new("a")
    store.transaction do
      child = fork do
        store[:child] = 1
        File.binwrite("child", "")
        sleep 0.05 until File.exist?("parent")
        exit!(0)
      end
      store[:child_id] = child
      sleep 0.01 until File.exist?("child")
    end
    waited = limited { PStore.new("a").transaction { |other| other.roots } }
    File.binwrite("parent", "")
    Process.wait(store.transaction(true) { store[:child_id] })
    waited
  end

  def a_child_that_leaves_the_transaction
    store = PStore.new("a")
    store.transaction { store[:a] = 0 }
    child = nil
    error = begin
      store.transaction do
        child = fork
        store[:a] = child ? 1 : 2
        Process.wait(child) if child
      end
    rescue PStore::Error => e
      e.message
    end
    exit!(error ? 3 : 0) unless child
    [$?.exitstatus, store.transaction(true) { store[:a] }]
  end

  def descriptors_after_an_interrupted_wait
    holder, waiter = Array.new(2) { PStore.new("a", true) }
    holder.transaction { holder[:a] = 1 }
    waiter.transaction { waiter[:a] }
    GC.disable # a collection would close what leaked
    before = open_files
    holder.transaction do
      5.times { Thread.new { limited { waiter.transaction {} } }.join }
    end
    waiter.transaction { waiter[:a] = 2 }
    [open_files - before, holder.transaction(true) { holder[:a] }]
  end

  def four_hundred_stores_with_few_descriptors
    Process.setrlimit(:NOFILE, 128)
    stores = Array.new(400) { |i| PStore.new("store#{i}") }
    3.times { stores.each { |store| store.transaction { store[:n] = store.fetch(:n, 0) + 1 } } }
    [stores.sum { |store| store.transaction(true) { store[:n] } }, open_files < 60]
  end

  def eighty_stores_in_transactions_at_once
    before = open_files
    nested = lambda do |number|
      next open_files - before if number.zero?

      PStore.new("store#{number}").transaction { |store| nested.call(number - 1).tap { |files| store[:n] = files } }
    end
    [nested.call(80), open_files - before < 40]
  end

  def ultra_safe_through_a_link
    Dir.mkdir("folder")
    File.symlink("folder/target", "a")
    store = PStore.new("a").tap { |one| one.ultra_safe = true }
    2.times { |n| store.transaction { store[:a] = n } }
    [File.symlink?("a"), File.exist?("folder/target"), PStore.new("a").transaction(true) { |one| one[:a] }]
  end

  def ultra_safe_keeps_the_mode
    File.umask(0o022)
    store = PStore.new("a").tap { |one| one.ultra_safe = true }
    store.transaction { store[:a] = 1 }
    File.chmod(0o600, "a")
    store.transaction { store[:a] = 2 }
    File.stat("a").mode.to_s(8)
  end

  def ultra_safe_leaves_nothing_beside
    store = PStore.new("a").tap { |one| one.ultra_safe = true }
    File.binwrite("elsewhere", "mine")
    File.symlink("elsewhere", "a.frugal") # another program may have created it
    store.transaction { store[:a] = 1 }
    [Dir.children(".").sort - ["a.frugal"], File.binread("elsewhere")]
  end

  def in_place
    store = PStore.new("a")
    store.transaction { store[:a] = "long enough" }
    File.link("a", "b")
    inode = File.stat("a").ino
    store.transaction { store[:a] = "short" }
    store.transaction { store[:a] = "longer than before" * 1000 }
    [inode == File.stat("a").ino, PStore.new("b").transaction(true) { |one| one[:a].size }]
  end

  def prefixes_that_read_as_empty
    bytes = Marshal.dump({ a: "text", b: [1, 2.5, { "c" => :d }] })
    (1...bytes.bytesize).count do |size|
      File.binwrite("a", bytes.byteslice(0, size))
      PStore.new("a").transaction(true) { |store| store.roots.empty? }
    rescue StandardError
      false
    end
  end

  def who_may_enter
    store = PStore.new("a")
    store.transaction do
      thread = attempt { Thread.new { store[:a] }.tap { |one| one.report_on_exception = false }.value }
      fiber = attempt { Fiber.new { store[:a] }.resume }
      [thread, fiber]
    end
  end

  def an_outer_abort
    outer = PStore.new("a")
    inner = PStore.new("b")
    reached = []
    outer.transaction do
      outer[:a] = 1
      inner.transaction do
        inner[:b] = 1
        outer.abort
      end
      reached << :after_inner
    end
    [reached, [outer, inner].map { |store| store.transaction(true) { store.roots } }]
  end

  # After the file was read, before it is decoded.
  def an_interrupt_after_the_read
    store = PStore.new("a")
    [true, false].map do |read_only|
      store.transaction { store[:a] = 1 }
      File.binwrite("a", Marshal.dump({ a: 2 }))
      reader = defined?(Frugal) ? Frugal::Native.engine::StoreFile : IO
      trace = TracePoint.new(:return, :c_return) do |point|
        raise IOError if point.method_id == :read && reader === point.self
      end
      interrupted = attempt { trace.enable { store.transaction(read_only) {} } }
      [interrupted, store.transaction(true) { store[:a] }, store.transaction { store[:a] }]
    end
  end

  # The store must not stay in a transaction, and YAML must not report a syntax error.
  def an_interrupt_as_the_transaction_ends
    [PStore, YAML::Store].map do |kind|
      store = kind.new(kind.name.delete(":"))
      store.transaction { store[:a] = 1 }
      loader = defined?(Frugal) ? Frugal::Native.engine::StoreFile : IO
      [%i[leave close], %i[load]].map do |names|
        File.binwrite(store.path, kind == PStore ? Marshal.dump({ a: 2 }) : { a: 2 }.to_yaml)
        calls = 0
        trace = TracePoint.new(:return, :c_return) do |point|
          next unless names.include?(point.method_id) && [loader, YAML::Store].any? { |one| one === point.self }

          raise IOError if (calls += 1) == 1
        end
        interrupted = attempt { trace.enable { store.transaction(true) { store[:a] } } }
        [interrupted, attempt { store.transaction { store[:a] } }]
      end
    end
  end

  def the_path_names_another_file
    store = PStore.new("a")
    Dir.mkdir("folder")
    store.transaction { store[:a] = 1 }
    before = PStore.new(File.expand_path("a"))
    inside = limited do
      Dir.chdir("folder") do
        before.transaction { store.transaction(true) { store.roots } + store.transaction { [store[:b] = 2] } }
      end
    end
    File.rename("a", "old")
    old = PStore.new("old")
    rotated = limited do
      old.transaction { [store.transaction(true) { store.roots }, store.transaction { store[:c] = old[:a] }] }
    end
    File.rename("a", "older")
    waits = Thread.new do
      PStore.new("older").transaction { Thread.new { store.transaction { store.roots } }.value }
    end
    [inside, rotated, limited { waits.value }]
  end

  def methods_that_the_program_redefines_later
    PStore.class_eval do
      private

      def dump(table) = JSON.generate(table)
      def load(content) = JSON.parse(content.respond_to?(:read) ? content.read : content)
    end
    hooked = PStore.new("a")
    hooked.transaction { hooked["a"] = 1 }
    PStore.class_eval { private def save_data(*) = @saved = true }
    unsaved = PStore.new("b")
    unsaved.transaction { unsaved["a"] = 1 }
    [File.read("a"), hooked.transaction(true) { hooked["a"] }, unsaved.instance_variable_get(:@saved), File.size("b")]
  end

  def methods_of_file_that_a_test_replaces
    store = PStore.new("a")
    store.transaction { store[:a] = 0 }
    both = lambda do
      [attempt { store.transaction(true) { store[:a] } }, attempt { store.transaction { store[:a] += 1 } }]
    end
    before = Array.new(3) { both.call }
    replaced = { File.singleton_class => %i[new], File => %i[read write rewind truncate flock] }.flat_map do |owner, names|
      names.map do |name|
        owner.define_method(name) { |*| raise Errno::ENOLCK, name.to_s }
        both.call
      ensure
        owner.remove_method(name)
        File.define_method(name, OF_FILE.fetch(name)) if OF_FILE.key?(name)
      end
    end
    [before, replaced, both.call]
  end
  OF_FILE = %i[truncate flock].to_h { |name| [name, File.instance_method(name)] }

  def code_among_plain_data
    kind = PStoreCases.const_set(:Coded, Class.new { def marshal_dump = PStoreCases.calls << :dump && 1 })
    kind.define_method(:marshal_load) { |_| PStoreCases.calls << :load }
    store = PStore.new("a")
    store.transaction { store[:a] = 1 }
    store.transaction { store[:coded] = kind.new }
    store.transaction { store[:a] = 2 }
    store.transaction(true) { store[:a] }
    PStoreCases.send(:remove_const, :Coded)
    [PStoreCases.calls, *[false, true].map { |read_only| attempt { store.transaction(read_only) { store[:a] } } }]
  end

  def self.calls = @calls ||= []

  def a_table_between_transactions
    store = PStore.new("a")
    table = -> { store.instance_variable_get(:@table) }
    store.transaction { 3.times { |n| store[n] = n.to_s } }
    store.transaction { store.delete(0) }
    store.transaction { store[3] = store.delete(1) }
    seen = [table.call.keys, Array.new(4) { |n| table.call[n] }]
    store.transaction { store[4] = 4 && store.abort }
    seen << table.call.keys << store.transaction { table.call.delete(9) { |key| "no #{key}" } }
  end

  def a_table_that_the_program_replaces
    store = PStore.new("a")
    entered = 0
    store.transaction { store[:a] = 1 }
    store.transaction(true) do
      store.instance_variable_set(:@table, entered += 1) && store.instance_variable_set(:@table, nil)
    end
    [entered, store.transaction(true) { store[:a] }]
  end

  def shared_objects
    store = PStore.new("a")
    store.transaction { store[:a] = store[:b] = ["x"] }
    store.transaction { store[:a] << "y" }
    store.transaction(true) { [store[:b], store[:a].equal?(store[:b])] }
  end

  def a_program_that_uses_the_table
    PStore.class_eval { def to_hash_of_all = @table.map { |key, value| [key, value] }.to_h }
    store = PStore.new("a")
    store.transaction { store[:a] = store[:b] = 1 }
    store.transaction { store.instance_variable_get(:@table).transform_values! { |value| value + 1 } }
    store.transaction(true) { store.to_hash_of_all }
  end

  def a_store_that_is_aborted_first
    PStore.new("a").transaction(&:abort)
    File.size("a")
  end

  def yaml_options
    store = YAML::Store.new("a", true, indentation: 4)
    store.transaction { store["a"] = { "b" => ["c"] } }
    store.transaction { store["a"]["b"] << "d" }
    File.read("a")
  end

  def yaml_deletes
    store = YAML::Store.new("a")
    store.transaction { 30.times { |n| store["root#{n}"] = n } }
    store.transaction { 29.times { |n| store.delete("root#{n}") } }
    File.read("a")
  end

  def a_ractor
    return "none" unless PStore::VERSION >= "0.2" && defined?(Ractor)

    Warning[:experimental] = false
    Ractor.new(Dir.pwd) do |folder|
      store = PStore.new("#{folder}/a")
      store.transaction { store[:a] = 1 }
      store.transaction(true) { store[:a] }
    end.value
  end

  def parts_that_are_overridden
    kind = Class.new(PStore) do
      attr_reader :saved

      private def save_data(*) = (@saved = true) && super
    end
    store = kind.new("a")
    store.transaction { store[:a] = 1 }
    [store.saved, store.transaction(true) { store[:a] }]
  end

  def a_device
    attempt { PStore.new("/dev/null").transaction(true, &:roots) }
  end

  private

  def attempt
    yield
  rescue StandardError => e
    "#{e.class}: #{e.message}"
  end

  # Ends a block that waits: at 15 looks, one after the other, its thread was asleep in the kernel. On a busy machine, a
  # thread that waits for a processor is not asleep.
  def limited(&block)
    waiting = Thread.current
    state = "/proc/#{File.readlink("/proc/thread-self")}/stat"
    watcher = Thread.new do
      looks = 0
      looks = File.read(state)[/\) (\w)/, 1] == "S" ? looks + 1 : 0 while sleep(0.01) && looks < 15
      waiting.raise(Timeout::Error, "execution expired")
    end
    attempt(&block)
  ensure
    watcher.kill
  end

  def open_files
    Dir.children("/proc/self/fd").size
  end
end

$stdout.sync = true
PStoreCases.public_instance_methods(false).each do |name|
  Dir.mkdir(File.join(ARGV.fetch(0), name.to_s))
  child = fork do
    Dir.chdir(File.join(ARGV[0], name.to_s))
    puts JSON.generate([name, PStoreCases.new.public_send(name)])
  rescue StandardError, NotImplementedError => e
    puts JSON.generate([name, "#{e.class}: #{e.message}"])
  ensure
    exit!(true)
  end
  Process.wait(child)
end
