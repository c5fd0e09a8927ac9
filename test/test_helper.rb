# frozen_string_literal: true

lib = File.expand_path("../lib", __dir__)
$LOAD_PATH.unshift(lib) unless $LOAD_PATH.include?(lib)

require "minitest/autorun"
require "frugal"
Minitest::Assertions.diff = "diff -u" if RUBY_ENGINE == "jruby" # which minitest looks for with a file that is in a jar

require_relative "support/alone"
require_relative "support/temp_tree"
require_relative "support/subprocess"
require_relative "support/ractor_value"
require_relative "support/cost"
require_relative "support/descriptors"
require_relative "support/time_limit"
require_relative "support/users"

# Under nohup, or in the background of a script, it is ignored; what a test interrupts would never end.
trap(:INT, "DEFAULT") unless RUBY_ENGINE == "jruby"

# Counts do not depend on earlier runs, and the home of who runs the tests stays as it is; boot_test.rb has its own cache.
ENV["FRUGAL_BOOT"] = "0"

# The base of every test:
#
#   class MtimeTest < Frugal::TestCase
#     def test_a_miss_is_one_call_and_no_exception
#       assert_cost(syscalls: 1, exceptions: 0) { Frugal.mtime(path("missing")) }
#     end
#   end
class Frugal::TestCase < Minitest::Test
  extend Alone
  include TempTree
  include Subprocess
  include Cost
  include Descriptors
  include Users
  include TimeLimit

  ROOT = File.expand_path("..", __dir__)
  # What runs: campaigns take a larger share in `bin/test --all`. `bin/test` without names of files is to end in minutes: it tries
  # fewer versions of an upstream and fewer cases of what takes long. `bin/test FILE` tries all of these.
  ALL = ENV["TEST_SHARE"] == "all"
  QUICK = ENV["TEST_SHARE"] == "quick"
end
