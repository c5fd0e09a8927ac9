# frozen_string_literal: true

require_relative "../test_helper"
require_relative "jruby_case"
require "pstore"

# The stores of the Java engine: their index against Marshal.dump, see stores.rb; and a store of several processes.
class JavaStoreTest < JRubyCase
  def test_random_transactions_leave_what_marshal_would_write
    3.times do |number|
      seed = Minitest.seed.to_i + number
      result = run_jruby("#{__dir__}/stores.rb", path("#{number}.store"), seed.to_s)
      assert_equal "done\n", result.out, "seed #{seed}: #{result}"
    end
  end

  # Two of JRuby, three of MRI with the drop-in and three with the stock library.
  def test_eight_processes_count_in_one_store
    counter = ["#{__dir__}/counter.rb", path("count.store"), "300"]
    counts = %w[C.UTF-8 C].map { |locale| -> { run_jruby(*counter, "frugal/pstore", env: { LC_ALL: locale }) } }
    counts += %w[pstore frugal/pstore].product([1, 2, 3]).map { |library, _| -> { run_command(RUBY, "-I", LIB, *counter, library) } }
    results = counts.map { |count| Thread.new(&count) }.map(&:value)
    results.each { |result| assert_equal "done\n", result.out, result }
    store = PStore.new(path("count.store"))
    assert_equal(8 * 300, store.transaction(true) { store[:count] })
  end
end
