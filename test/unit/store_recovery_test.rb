# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/store"
require "pstore"

# How a durable store recovers a file after a kill or a power cut, and when it keeps the file
# as it is. test/crash tries every state; here are the cases that it cannot distinguish: the
# same boot of the system, another inode, a later time.
class StoreRecoveryTest < Frugal::TestCase
  Store = Frugal::Store
  ANOTHER_BOOT = ("b" * 16).b.freeze

  def setup
    @path = path("a.store")
    @journal = "#{@path}#{Store::Journal::SUFFIX}"
    store = open_store
    store["count"] = 1
    store["count"] = 2
    @old = Marshal.dump({ "count" => 1 })
    @new = Marshal.dump({ "count" => 2 })
    assert_equal @new, File.binread(@path)
  end

  def test_a_power_cut_that_lost_the_files_pages
    reboot { lose_pages }
    assert_equal 2, open_store["count"]
    assert_equal @new, File.binread(@path)
    assert_equal 2, PStore.new(@path).transaction(true) { |store| store["count"] }
  end

  def test_a_store_of_another_durability_recovers_too
    %i[fast atomic].each do |durability|
      reboot { lose_pages }
      assert_equal 2, Store.new(@path, durability: durability)["count"]
      open_store["count"] = 2 + 1
      open_store["count"] = 2
    end
  end

  def test_a_store_of_another_durability_that_was_open_before_the_kill
    open_store["text"] = "x" * 10_000
    fast = Store.new(@path)
    assert_equal "x" * 10_000, fast["text"]
    old = File.binread(@path)
    killed(:overwrite) { |store| store["text"] = "y" * 10_000 }
    File.write(@path, File.binread(@path)[0, 4096] + old[4096..], mode: "r+b")
    assert_equal "y" * 10_000, fast["text"]
  end

  def test_a_writer_recovers_first
    reboot { lose_pages }
    assert_equal 3, open_store.update("count") { |count| count + 1 }
    reboot { File.write(@path, "") && old_times }
    assert_equal 3, open_store["count"]
  end

  def test_a_later_write_without_the_journal_is_kept
    reboot { stock { |store| store["count"] = 7 } }
    assert_equal 7, open_store["count"]
    assert_equal 8, open_store.update("count") { |count| count + 1 }
  end

  def test_a_file_that_was_replaced_is_kept
    reboot do
      write("b", @old, mtime: Time.at(1))
      File.rename(path("b"), @path)
    end
    assert_equal 1, open_store["count"]
  end

  def test_within_one_boot_the_file_is_kept
    lose_pages
    assert_equal 1, open_store["count"]
    stock { |store| store["count"] = 9 }
    assert_equal 9, open_store["count"]
  end

  def test_a_kill_before_the_file_was_touched_undoes_the_transaction
    killed(:commit) { |store| store["count"] = 3 }
    assert_equal 2, open_store["count"]
    stock { |store| store["count"] = 5 }
    assert_equal 5, open_store["count"]
  end

  def test_a_kill_while_the_file_is_written_completes_the_transaction
    big = %w[x y].map { |letter| letter * 20_000 }
    open_store["big"] = big.first
    killed(:overwrite) { |store| store["big"] = big.last }
    bytes = File.binread(@path)
    File.open(@path, "r+b") { |io| io.pwrite("x" * 4096, 8192) } # a page that was not written before the kill
    refute_equal bytes, File.binread(@path)
    assert_equal big.last, open_store["big"]
    assert_equal bytes, File.binread(@path)
  end

  def test_a_write_of_stock_after_such_a_kill_is_kept
    killed(:overwrite) { |store| store["count"] = 3 }
    stock { |store| store["count"] = 5 }
    assert_equal 5, open_store["count"]
    reboot { File.utime(2, 2, @path) }
    assert_equal 5, open_store["count"]
  end

  def test_a_truncated_or_overwritten_journal_is_ignored
    [->(bytes) { bytes[0, 50] }, ->(bytes) { bytes.tr("\x04", "\x05") }, ->(_) { "" }, ->(bytes) { Random.new(1).bytes(bytes.size) }].each do |spoil|
      reboot do
        File.binwrite(@path, @new)
        old_times
        File.binwrite(@journal, spoil.call(File.binread(@journal)))
      end
      assert_equal 2, open_store["count"]
      assert_equal 3, open_store.update("count") { |count| count + 1 }
      open_store["count"] = 2
    end
  end

  def test_a_journal_that_was_deleted_is_created_again
    store = open_store
    assert_equal 2, store["count"]
    File.unlink(@journal)
    store["count"] = 3
    reboot { lose_pages }
    assert_equal 3, open_store["count"]
  end

  # The folder may be writable for others: a file with the temporary name is neither opened nor written to.
  def test_other_files_with_the_temporary_name_of_the_journal
    write("victim", "mine")
    [->(name) { File.mkfifo(name) }, ->(name) { File.symlink(path("victim"), name) },
     ->(name) { File.binwrite(name, "left over") }].each_with_index do |lay, number|
      File.unlink(@journal) if File.exist?(@journal)
      lay.call("#{@journal}.new")
      store = Store.new(@path, durability: :durable)
      store["a"] = number
      assert_equal [number, "mine"], [store["a"], File.binread(path("victim"))]
      assert File.file?(@journal)
      refute File.symlink?("#{@journal}.new") || File.exist?("#{@journal}.new")
    end
  end

  def test_the_journal_grows_with_the_store
    store = open_store
    [10_000, 100_000, 300_000].each do |size|
      store["text"] = "x" * size
      reboot { File.write(@path, "") && old_times }
      assert_equal size, open_store["text"].size
    end
    assert_equal ["a.store", "a.store.frugal-journal"], Dir.children(tree).sort
  end

  def test_a_process_that_may_only_read_leaves_recovery_to_others
    skip "only root can become another user" unless Process.uid.zero?
    File.chmod(0o755, tree)
    assert_equal 2, in_process_of_nobody { open_store["count"] }
    reboot {}
    assert_equal 2, in_process_of_nobody { open_store["count"] }
    reboot { lose_pages }
    assert_match(/half done.*may not write/, in_process_of_nobody { open_store["count"] })
    assert_equal 2, open_store["count"]
    assert_equal 2, in_process_of_nobody { open_store["count"] }
    open_store["count"] = 4
    reboot { stock { |store| store["count"] = 7 } }
    assert_equal 7, in_process_of_nobody { open_store["count"] }
  end

  def test_many_journals_few_descriptors
    skip "without /proc, descriptors cannot be counted" unless File.directory?("/proc/self/fd")
    before = Dir.children("/proc/self/fd").size
    stores = Array.new(60) { |number| Store.new(path("store #{number}"), durability: :durable) }
    2.times { |round| stores.each { |store| store["a"] = round } }
    assert_operator Dir.children("/proc/self/fd").size - before, :<=, 52
    assert(stores.all? { |store| store["a"] == 1 })
  end

  private

  def open_store = Store.new(@path, durability: :durable)

  def stock(&block) = PStore.new(@path).then { |store| store.transaction { block.call(store) } }

  # The state of the file if neither its pages nor its times had reached the disk.
  def lose_pages
    File.binwrite(@path, @old)
    old_times
  end

  def old_times = File.utime(1, 1, @path)

  # Runs the block, and gives the records of the journal another boot id.
  def reboot
    yield
    records = File.binread(@journal)
    size = records.size / 2
    [0, size].each do |at|
      record = Store::Journal::Record.new(records[at, 128].ljust(128, "\0"))
      next unless record.written? && record.complete?(bytes = records[at + 128, record.size].to_s)

      records[at, 48] = records[at, 48].tap { |head| head[8, 16] = ANOTHER_BOOT }
      records[at + 48, 4] = [Zlib.crc32(bytes, Zlib.crc32(records[at, 48]))].pack("L<")
    end
    File.binwrite(@journal, records)
  end

  # Runs the block in a process that is killed after the record was synced (+commit+), or after the
  # file was written (+overwrite+).
  def killed(moment)
    skip "JRuby cannot fork" unless Process.respond_to?(:fork)
    pid = fork do
      die = ->(*) { Process.kill(:KILL, Process.pid) && sleep }
      if moment == :commit
        Store::Journal.prepend(Module.new { private define_method(:mark) { |*| die.call } })
      else
        Store::Journal.prepend(Module.new { define_method(:applied) { |*| die.call } })
      end
      yield open_store
    end
    Process.wait(pid)
    assert_equal 9, $?.termsig
  end
end
