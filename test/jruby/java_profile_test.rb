# frozen_string_literal: true

require_relative "../test_helper"
require_relative "jruby_case"

# The recorder in Ruby under JRuby; ruby_recorder_test.rb profiles a whole program.
class JavaProfileTest < JRubyCase
  # JRuby's native_thread_id is the number of the process.
  def test_each_thread_has_its_own_number
    result = run_jruby("-e", <<~'RUBY')
      require "frugal/profile/ruby_recorder/recorder"
      numbers = Array.new(3) { Thread.new { Array.new(2) { Recorder.__send__(:thread) } }.value }
      print numbers.map { |number| number.uniq.size }, numbers.flatten.uniq.size
    RUBY
    assert_equal ["[1, 1, 1]3", ""], [result.out, result.err], result
  end
end
