# frozen_string_literal: true

require_relative "pure/names"
require_relative "pure/probe"
require_relative "pure/upstream"

module Frugal
  module Native
    # The twin of {C} in plain Ruby: the same answers and the same faults.
    #
    #   Frugal::Native::Pure.mtime("Rakefile")  # => a Time, or nil for a miss
    module Pure
      NAME = :pure

      autoload :Beneath, "#{__dir__}/pure/beneath"
      autoload :IgnoreRules, "#{__dir__}/pure/ignore_rules"
      autoload :MarshalIndex, "#{__dir__}/pure/marshal_index"
      autoload :RakePlan, "#{__dir__}/pure/rake_plan"
      autoload :RakeWalk, "#{__dir__}/pure/rake_walk"
      autoload :StoreFile, "#{__dir__}/pure/store_file"
      autoload :Tree, "#{__dir__}/pure/tree"
      autoload :TreeSnapshot, "#{__dir__}/pure/tree_snapshot"

      extend Names
      extend Probe
      extend Upstream
    end
  end
end
