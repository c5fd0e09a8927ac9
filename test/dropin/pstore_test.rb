# frozen_string_literal: true

require_relative "../test_helper"
require "json"

# What the PStore drop-in does better than stock, and what it leaves as it is, under
# each set of rules: every case of pstore_cases.rb, run by both.
class PStoreTest < Frugal::TestCase
  CASES = File.join(__dir__, "pstore_cases.rb")
  ENGINES = Frugal::Native.engine_name == :c ? %w[c pure] : %w[pure]
  NESTED = "PStore::Error: nested transaction"
  WAITED = "Timeout::Error: execution expired"

  # Case => what the drop-in answers, under all rules.
  BETTER = {
    "a_second_store_in_one_thread" => [NESTED, NESTED, NESTED, 1],
    "a_fork_in_a_transaction" => ["child_id"],
    "a_child_that_leaves_the_transaction" => [3, 1],
    "descriptors_after_an_interrupted_wait" => [0, 2],
    "ultra_safe_through_a_link" => [true, true, 1],
    "ultra_safe_keeps_the_mode" => "100600",
    "prefixes_that_read_as_empty" => 0
  }.freeze

  # Case => what stock answers, under the rules of which versions: the control.
  WRONG = {
    "a_second_store_in_one_thread" => [[WAITED, WAITED, WAITED, 1], %w[0.1.1 0.2.1 0.3.0]],
    "a_fork_in_a_transaction" => [WAITED, %w[0.1.1 0.2.1 0.3.0]],
    "a_child_that_leaves_the_transaction" => [[0, 1], %w[0.1.1 0.2.1 0.3.0]],
    "descriptors_after_an_interrupted_wait" => [[5, 2], %w[0.1.1 0.2.1]],
    "ultra_safe_through_a_link" => [[false, true, 1], %w[0.1.1 0.2.1 0.3.0]],
    "ultra_safe_keeps_the_mode" => ["100644", %w[0.1.1 0.2.1]],
    "prefixes_that_read_as_empty" => [18, %w[0.1.1 0.2.1]]
  }.freeze

  # Cases that tell versions apart; the drop-in goes by the version.
  RULES = {
    "who_may_enter" => { "0.1.1" => [nil, nil], "0.2.1" => [nil, nil], "0.3.0" => ["PStore::Error: not in transaction"] * 2 },
    "an_outer_abort" => { "0.1.1" => [["after_inner"], [[], ["b"]]], "0.2.1" => [["after_inner"], [[], ["b"]]], "0.3.0" => [[], [[], []]] }
  }.freeze

  %w[0.1.1 0.2.1 0.3.0].each do |version|
    define_method("test_#{version}") do
      library = "#{ROOT}/tmp/pstores/gems/pstore-#{version}/lib"
      skip "bin/setup --pstores" unless File.directory?(library)
      stock = answers(library, "stock")
      check_stock(version, stock)
      ENGINES.each { |engine| check_ours(version, stock, answers(library, engine)) }
    end
  end

  # Whoever overrides what a transaction consists of has stock's; so has a version of tomorrow.
  def test_stands_aside
    state = "p Frugal::Dropin.status.find { |status| status.name == :pstore }.then { |status| [status.state, status.reason] }"
    changed = "require 'pstore'; class PStore; private def save_data(*) = nil; end; require 'frugal/pstore'; #{state}"
    assert_equal "[:aside, \"PStore#save_data was redefined\"]\n", run_ruby("-W0", "-e", changed).out
    newer = "require 'pstore'; class PStore; remove_const(:VERSION); VERSION = '0.4.0'; end; require 'frugal/pstore'; #{state}"
    assert_equal "[:aside, \"PStore 0.4.0 is not known (0.1.1 to 0.3 are)\"]\n", run_ruby("-e", newer).out
    assert_equal "[:off, \"FRUGAL_PSTORE=0\"]\n", run_ruby("-rfrugal/pstore", "-e", state, env: { "FRUGAL_PSTORE" => "0" }).out
  end

  # Ruby's own File.new loses what it has opened by then.
  def test_an_interrupt_while_the_file_is_opened_loses_no_descriptor
    skip "calls are held up with strace, which is not here" unless Frugal::Native.engine_name == :c && Cost::Strace.available?

    file = path("a")
    File.binwrite(file, Marshal.dump({ a: 1 }))
    delay = "inject=?open,openat:delay_exit=30000"
    result = run_command("strace", "-f", "-qq", "-o", "/dev/null", "-P", file, "-e", delay, RUBY, "-I", LIB, "-rpstore", "-rfrugal/pstore", "-rtimeout", "-e", <<~RUBY, file)
      interrupted = Array.new(5) { |n| Timeout.timeout(0.01) { PStore.new(ARGV[0]).transaction(n.odd?) {} } rescue $!.class }
      2.times { GC.start }
      p interrupted.tally, Dir.children("/proc/self/fd").count { |fd| File.readlink("/proc/self/fd/" + fd) == ARGV[0] rescue nil } < 2
    RUBY
    assert_equal "{Timeout::Error=>5}\ntrue\n", result.out.gsub(" => ", "=>"), result
  end

  def test_frugal_run_notices_pstore_at_its_end
    script = "require 'pstore'; p PStore.instance_method(:transaction).source_location.first.end_with?('dropin/pstore/patch.rb')"
    result = run_command(File.join(ROOT, "bin/frugal"), "run", "--", RUBY, "-w", "-e", script)
    assert_equal ["true\n", ""], [result.out, result.err]
  end

  private

  def answers(library, engine)
    options = engine == "stock" ? [] : ["-rfrugal/pstore"]
    environment = { "FRUGAL_ENGINE" => engine, "RUBYOPT" => nil, "RUBYLIB" => nil }
    result = run_command(RUBY, "-W0", "-I", library, "-I", LIB, *options, CASES, mkdir("#{File.basename(File.dirname(library))}-#{engine}"), env: environment)
    assert result.success?, result
    result.out.lines.to_h { |line| JSON.parse(line) }
  end

  def check_stock(version, stock)
    WRONG.each do |name, (answer, versions)|
      assert_equal versions.include?(version) ? answer : BETTER[name], stock[name], "stock #{version}: #{name}"
    end
    RULES.each { |name, rules| assert_equal rules.fetch(version), stock[name], "stock #{version}: #{name}" }
  end

  def check_ours(version, stock, ours)
    assert_equal stock.keys.sort, ours.keys.sort
    BETTER.each { |name, answer| assert_equal answer, ours[name], "#{version}: #{name}" }
    (stock.keys - BETTER.keys).each { |name| assert_equal [name, stock[name]], [name, ours[name]], version }
  end
end
