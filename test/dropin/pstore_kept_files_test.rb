# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/pstore"
require "weakref"

# PStore objects of one file share what is kept of it, and behave as if each had read the file itself.
class PStoreKeptFilesTest < Frugal::TestCase
  KeptFiles = Frugal::Dropin::Pstore::KeptFiles

  def setup
    @path = path("a.store")
    fill(@path, number: 1, text: "text")
  end

  # A web application makes a new object for each request.
  def test_the_first_transaction_of_another_object
    only_the_c_engine_shares
    assert_first(%w[stat]) { |store| store.transaction(true) { store[:number] } }
    assert_first(%w[open fstat flock stat flock]) { |store| store.transaction { store[:number] } }
    assert_first(%w[open fstat flock stat pwrite fstat flock]) { |store| store.transaction { store[:number] = 2 } }
  end

  def test_a_kept_object_and_new_objects_take_turns
    kept = PStore.new(@path)
    10.times do |turn|
      kept.transaction { kept[:number] += 1 }
      fresh = PStore.new(@path)
      fresh.transaction { fresh[:number] += 1 }
      assert_equal 1 + (2 * (turn + 1)), kept.transaction(true) { kept[:number] }
    end
    assert_equal 21, stored(@path)[:number]
  end

  # Both paths name the same file, by device and inode: one kept file takes the index of the other.
  def test_another_path_of_the_file
    only_the_c_engine_shares
    File.link(@path, path("hard"))
    File.symlink(@path, path("soft"))
    fill(path("other"), number: 3)
    read(@path)
    %w[hard soft].each do |name|
      bill = measure_cost { read(path(name)) }
      assert_includes bill.syscalls, "flock"
      refute_includes bill.syscalls, "pread"
    end
    assert_includes measure_cost { read(path("other")) }.syscalls, "pread"
    change(path("hard"), 2)
    assert_equal([2, 2, 2], [@path, path("hard"), path("soft")].map { |name| read(name) })
  end

  def test_another_file_at_the_same_path
    read(@path)
    fill(path("new"), number: 2, text: "text")
    File.rename(path("new"), @path)
    assert_equal 2, read(@path)
    File.unlink(@path)
    assert_nil read(@path)
    inside = path("folder/a.store")
    fill(inside, number: 4)
    Dir.chdir(tree) { assert_nil read("a.store") }
    Dir.chdir(path("folder")) { assert_equal 4, read("a.store") }
  end

  # A kept file that followed a link is not used for the same path if links must not be followed.
  def test_a_link_that_is_not_followed
    options = PStore.instance_method(:initialize).parameters
    skip "PStore #{PStore::VERSION} always follows links" unless options.include?(%i[key follow_symlink])
    File.symlink(@path, path("soft"))
    read(path("soft"))
    store = PStore.new(path("soft"), follow_symlink: false)
    assert_raises(Errno::ELOOP) { store.transaction(true) {} }
    assert_equal 1, read(path("soft"))
  end

  def test_ultra_safe_replaces_the_target_of_its_own_path
    File.symlink(@path, path("soft"))
    read(@path)
    store = PStore.new(path("soft"))
    store.ultra_safe = true
    store.transaction { store[:number] = 5 }
    assert_equal [true, 5], [File.symlink?(path("soft")), stored(@path)[:number]]
  end

  def test_nested_transactions
    outer = PStore.new(@path)
    inner = PStore.new(@path)
    values = outer.transaction(true) do
      [outer[:number], inner.transaction(true) { inner[:text] }, outer[:text], read(@path)]
    end
    assert_equal [1, "text", "text", 1], values
    error = outer.transaction { assert_raises(PStore::Error) { inner.transaction {} } }
    assert_equal "nested transaction", error.message
    assert_equal 1, read(@path)
  end

  def test_threads_with_an_object_for_each_transaction
    threads = Array.new(8) do |number|
      Thread.new do
        40.times do |turn|
          store = PStore.new(@path)
          store.transaction { store[:number] += 1 }
          read(@path) if (turn + number).even?
        end
      end
    end
    threads.each(&:join)
    assert_equal 321, stored(@path)[:number]
  end

  # A kept file that is in a transaction of one thread is not used by another.
  def test_a_reader_beside_a_writer
    inside = Queue.new
    go_on = Queue.new
    reader = Thread.new do
      store = PStore.new(@path)
      store.transaction(true) do
        inside << true
        go_on.pop
        [store[:number], store[:text]]
      end
    end
    inside.pop
    change(@path, "another, and a longer one")
    go_on << true
    assert_equal [1, "text"], reader.value
    assert_equal "another, and a longer one", read(@path)
  end

  def test_forks
    read(@path)
    children = Array.new(4) { fork { 25.times { increment } } }
    25.times { increment }
    children.each { |child| Process.wait(child) }
    assert_equal 126, stored(@path)[:number]
    assert_equal 126, read(@path)
  end

  def test_a_child_of_a_transaction
    store = PStore.new(@path)
    children = store.transaction(true) do
      Array.new(2) { fork { exit!(read(@path) == 1 && store[:text] == "text" ? 0 : 1) } }
    end
    assert_equal([0, 0], children.map { |child| Process.wait2(child).last.exitstatus })
    increment
    assert_equal 2, read(@path)
  end

  # A descriptor that was opened with more rights would let the process write where stock's PStore could not.
  def test_rights_that_were_dropped
    skip "only root can drop rights" unless Process.uid.zero?
    change(@path, 2)
    File.chmod(0o644, @path)
    File.chmod(0o755, tree)
    reader, writer = IO.pipe
    child = fork do
      Process::Sys.setegid(65_534)
      Process::Sys.seteuid(65_534)
      store = PStore.new(@path)
      number = store.transaction(true) { store[:number] }
      written = store.transaction { store[:number] = 3 } rescue $!.class
      writer.write([number, written].inspect)
      exit!(0)
    end
    writer.close
    Process.wait(child)
    assert_equal "[2, Errno::EACCES]", reader.read
    child = fork { exit!(exit_status_after_dropping_rights) }
    assert_equal 0, Process.wait2(child).last.exitstatus
  end

  def test_no_object_is_kept_alive
    only_the_c_engine_shares
    references = Array.new(20) do
      WeakRef.new(PStore.new(@path).tap { |store| store.transaction { store[:number] = 1 } })
    end
    4.times { GC.start }
    assert_operator references.count(&:weakref_alive?), :<, 5 # some may still be on the stack
  end

  def test_the_limits_of_files_and_memory
    only_the_c_engine_shares
    40.times { |number| fill(path("#{number}.store"), number: number) and read(path("#{number}.store")) }
    assert_equal KeptFiles::AT_MOST, kept.size
    assert_equal path("39.store"), kept.first.path
    refute_includes kept.map(&:path), path("0.store")
    large = path("large.store")
    fill(large, text: "x" * (KeptFiles::MEMORY / 2))
    PStore.new(large).transaction(true) { |store| store.root?(:text) }
    assert_includes kept.map(&:path), large
    assert_operator kept.sum(&:memsize), :<=, KeptFiles::MEMORY
    fill(large, text: "x" * KeptFiles::MEMORY)
    assert_equal([true, true], Array.new(2) { PStore.new(large).transaction(true) { |store| store.root?(:text) } })
    refute_includes kept.map(&:path), large
  ensure
    kept.each(&:drop)
  end

  # A file whose loading runs code has no index, and is decoded with the hooks of each object.
  def test_a_file_that_gets_and_loses_an_object_of_the_program
    assert_equal 1, read(@path)
    own = self.class.const_set(:Own, Struct.new(:a))
    File.binwrite(@path, Marshal.dump({ number: own.new(3) }))
    assert_equal 3, read(@path).a
    assert_equal 3, read(@path).a
    fill(@path, number: 2)
    assert_equal 2, read(@path)
  end

  # The memory of an outdated index is reused for the next one.
  def test_files_that_grow_and_shrink
    [1, 5000, 3, 1200, 40, 0, 7].each do |roots|
      table = Array.new(roots) { |number| ["k#{number}", number.odd? ? "v#{number}" : number] }.to_h
      File.binwrite(@path, Marshal.dump(table))
      store = PStore.new(@path)
      assert_equal roots, store.transaction(true) { store.roots.size }
      next if roots.zero?

      store.transaction { store["k#{roots}"] = [store["k#{roots - 1}"]] }
      assert_equal stored(@path), store.transaction(true) { store.roots.to_h { |key| [key, store[key]] } }
    end
  end

  def test_a_method_of_pstore_that_the_program_redefines_later
    out = run_ruby("-rfrugal/pstore", "-e", <<~'RUBY', @path).out
      read = -> { store = PStore.new(ARGV[0]); store.transaction(true) { store[:number] } }
      p read.call
      class PStore; private def load(content) = { number: :replaced }; end
      p read.call
      class PStore; private def load(content) = Marshal.load(content); end
      one = PStore.new(ARGV[0]); def one.load(_) = { number: :singleton }
      p one.transaction(true) { one[:number] }, read.call
    RUBY
    assert_equal "1\n:replaced\n:singleton\n1\n", out
  end

  private

  def only_the_c_engine_shares
    skip "only the C engine shares kept files" unless Frugal::Native.engine_name == :c
    skip_where_times_are_not_trusted
  end

  # The block runs in a fork, where the file is opened again.
  def assert_first(calls, &block)
    read(@path)
    bill = measure_cost { block.call(PStore.new(@path)) }
    made = bill.syscalls.drop(measure_cost { PStore.new(@path) }.syscalls.size)
    # Without the calls between open and flock, which identify the mount.
    made = made.first(2) + made.drop(made.index("flock")) if made.include?("flock")
    assert_equal calls, made
    assert_empty bill.exceptions
  end

  def fill(name, roots)
    FileUtils.mkdir_p(File.dirname(name))
    File.binwrite(name, Marshal.dump(roots))
  end

  def read(name)
    store = PStore.new(name)
    store.transaction(true) { store[:number] }
  end

  def change(name, value)
    store = PStore.new(name)
    store.transaction { store[:number] = value }
  end

  def increment
    store = PStore.new(@path)
    store.transaction { store[:number] += 1 }
  end

  # In a process that has opened the file itself.
  #
  # @return [Integer] 0 if the write was refused
  def exit_status_after_dropping_rights
    change(@path, 4)
    Process::Sys.setegid(65_534)
    Process::Sys.seteuid(65_534)
    change(@path, 5)
    1
  rescue Errno::EACCES
    0
  end

  # The most recently used first.
  def kept = Frugal::Native.engine::StoreFile.kept

  def stored(name) = Marshal.load(File.binread(name))
end
