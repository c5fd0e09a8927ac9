# frozen_string_literal: true

# uses: pstores

require_relative "../test_helper"
require "json"

# Runs every case of pstore_cases.rb with stock and with the drop-in, for each version of
# PStore: where the drop-in is better than stock, and that it is the same everywhere else.
class PStoreTest < Frugal::TestCase
  CASES = File.join(__dir__, "pstore_cases.rb")
  ENGINES = Frugal::Native.engine_name == :c ? %w[c pure] : %w[pure]
  NESTED = "PStore::Error: nested transaction"
  WAITED = "Timeout::Error: execution expired"

  # Case => the result of the drop-in, with all versions.
  BETTER = {
    "a_second_store_in_one_thread" => [NESTED, NESTED, NESTED, 1],
    "a_fork_in_a_transaction" => ["child_id"],
    "a_child_that_leaves_the_transaction" => [3, 1],
    "descriptors_after_an_interrupted_wait" => [0, 2],
    "ultra_safe_through_a_link" => [true, true, 1],
    "ultra_safe_keeps_the_mode" => "100600",
    "prefixes_that_read_as_empty" => 0
  }.freeze

  # Case => the worse result of stock, and its versions. In the other versions stock has the better result.
  WORSE = {
    "a_second_store_in_one_thread" => [[WAITED, WAITED, WAITED, 1], %w[0.1.1 0.2.1 0.3.0]],
    "a_fork_in_a_transaction" => [WAITED, %w[0.1.1 0.2.1 0.3.0]],
    "a_child_that_leaves_the_transaction" => [[0, 1], %w[0.1.1 0.2.1 0.3.0]],
    "descriptors_after_an_interrupted_wait" => [[5, 2], %w[0.1.1 0.2.1]],
    "ultra_safe_through_a_link" => [[false, true, 1], %w[0.1.1 0.2.1 0.3.0]],
    "ultra_safe_keeps_the_mode" => ["100644", %w[0.1.1 0.2.1]],
    "prefixes_that_read_as_empty" => [18, %w[0.1.1 0.2.1]]
  }.freeze

  # Case => the result of stock by version; that of the drop-in is the same.
  BY_VERSION = {
    "who_may_enter" => { "0.1.1" => [nil, nil], "0.2.1" => [nil, nil],
                         "0.3.0" => ["PStore::Error: not in transaction"] * 2 },
    "an_outer_abort" => { "0.1.1" => [["after_inner"], [[], ["b"]]], "0.2.1" => [["after_inner"], [[], ["b"]]],
                          "0.3.0" => [[], [[], []]] }
  }.freeze

  %w[0.1.1 0.2.1 0.3.0].each do |version|
    define_method("test_#{version}") do
      library = "#{ROOT}/tmp/pstores/gems/pstore-#{version}/lib"
      skip "bin/setup --pstores" unless File.directory?(library)
      stock = answers(library, "stock")
      check_stock(version, stock)
      ENGINES.each { |engine| check_drop_in(version, stock, answers(library, engine)) }
    end
  end

  # A program that redefines a part of the transaction gets stock's, and so does an unknown version.
  def test_stands_aside
    state = "status = Frugal::Dropin.status.find { |one| one.name == :pstore }; p [status.state, status.reason]"
    changed = "require 'pstore'; class PStore; private def save_data(*) = nil; end; require 'frugal/pstore'; #{state}"
    assert_equal "[:aside, \"PStore#save_data was redefined\"]\n", run_ruby("-W0", "-e", changed).out
    newer = "require 'pstore'; class PStore; remove_const(:VERSION); VERSION = '0.4.0'; end; " \
            "require 'frugal/pstore'; #{state}"
    assert_equal "[:aside, \"PStore 0.4.0 is not a known version (known: 0.1 to 0.3)\"]\n", run_ruby("-e", newer).out
    off = run_ruby("-rfrugal/pstore", "-e", state, env: { "FRUGAL_PSTORE" => "0" })
    assert_equal "[:off, \"FRUGAL_PSTORE=0\"]\n", off.out
  end

  # Ruby's own File.new leaks the descriptor if it is interrupted.
  def test_an_interrupt_while_the_file_is_opened_loses_no_descriptor
    skip "strace, which delays system calls, is not installed" unless Cost::Strace.available?
    skip "the pure engine uses File.new" unless Frugal::Native.engine_name == :c

    file = path("a")
    File.binwrite(file, Marshal.dump({ a: 1 }))
    delay = "inject=?open,openat:delay_exit=30000"
    strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", file, "-e", delay]
    libraries = %w[-rpstore -rfrugal/pstore -rtimeout]
    result = run_command(*strace, RUBY, "-I", LIB, *libraries, "-e", <<~'RUBY', file)
      interrupted = transactions = 0
      loop do # on a busy machine, many transactions are through before the thread of Timeout runs
        Timeout.timeout(0.01) { PStore.new(ARGV[0]).transaction((transactions += 1).odd?) {} }
      rescue Timeout::Error
        break if (interrupted += 1) == 5
      end
      2.times { GC.start }
      descriptors = Dir.children("/proc/self/fd")
      open = descriptors.count { |fd| File.readlink("/proc/self/fd/#{fd}") == ARGV[0] rescue nil }
      p interrupted, open < 2
    RUBY
    assert_equal "5\ntrue\n", result.out, result
  end

  def test_frugal_run_patches_pstore_at_the_second_transaction
    script = "require 'pstore'; store = PStore.new(ARGV[0]); " \
             "3.times { store.transaction {}; p PStore.private_method_defined?(:frugal_stock_transaction) }"
    result = run_command(File.join(ROOT, "bin/frugal"), "run", "--", RUBY, "-w", "-e", script, path("store"))
    assert_equal ["false\ntrue\ntrue\n", ""], [result.out, result.err]
  end

  private

  def answers(library, engine)
    options = engine == "stock" ? [] : ["-rfrugal/pstore"]
    environment = { "FRUGAL_ENGINE" => engine, "RUBYOPT" => nil, "RUBYLIB" => nil }
    folder = mkdir("#{File.basename(File.dirname(library))}-#{engine}")
    result = run_command(RUBY, "-W0", "-I", library, "-I", LIB, *options, CASES, folder, env: environment)
    assert result.success?, result
    result.out.lines.to_h { |line| JSON.parse(line) }
  end

  def check_stock(version, stock)
    WORSE.each do |name, (answer, versions)|
      assert_equal versions.include?(version) ? answer : BETTER[name], stock[name], "stock #{version}: #{name}"
    end
    BY_VERSION.each { |name, results| assert_equal results.fetch(version), stock[name], "stock #{version}: #{name}" }
  end

  def check_drop_in(version, stock, dropin)
    assert_equal stock.keys.sort, dropin.keys.sort
    BETTER.each { |name, answer| assert_equal answer, dropin[name], "#{version}: #{name}" }
    (stock.keys - BETTER.keys).each { |name| assert_equal [name, stock[name]], [name, dropin[name]], version }
  end
end
