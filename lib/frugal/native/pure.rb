# frozen_string_literal: true

require_relative "pure/names"
require_relative "pure/probe"
require_relative "pure/upstream"
require_relative "pure/beneath"
require_relative "pure/entry_file"
require_relative "pure/ignore_rules"
require_relative "pure/marshal_index"
require_relative "pure/rake_plan"
require_relative "pure/rake_walk"
require_relative "pure/store_file"
require_relative "pure/tree"
require_relative "pure/tree_snapshot"

module Frugal
  module Native
    # The twin of {C} in Ruby: the same results and the same faults.
    #
    #   Frugal::Native::Pure.mtime("Rakefile")  # => a Time, or nil for a miss
    module Pure
      NAME = :pure

      extend Names
      extend Probe
      extend Upstream
    end
  end
end
