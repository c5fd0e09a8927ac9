# frozen_string_literal: true

require_relative "../test_helper"
require_relative "jruby_case"

# The index of the Java engine against Marshal.dump, see stores.rb.
class JavaStoreTest < JRubyCase
  def test_random_transactions_leave_what_marshal_would_write
    3.times do |number|
      seed = Minitest.seed.to_i + number
      result = run_jruby("#{__dir__}/stores.rb", path("#{number}.store"), seed.to_s)
      assert_equal "done\n", result.out, "seed #{seed}: #{result}"
    end
  end
end
