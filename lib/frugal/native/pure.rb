# frozen_string_literal: true

require_relative "../loader"
require_relative "../platform"
require_relative "pure/names"
require_relative "pure/probe"
require_relative "pure/upstream"

module Frugal
  module Native
    # The twin of {C} in Ruby: the same results and the same faults.
    #
    #   Frugal::Native::Pure.mtime("Rakefile")  # => a Time, or nil for a miss
    #
    # No file of it may require a gem library.
    module Pure
      NAME = :pure

      extend Names
      extend Probe
      extend Upstream

      # Under JRuby, a file is loaded when its class is first used: JRuby takes 2 to 6 ms for each file, and has
      # Java twins of some classes. Loading later is safe: JRuby has no chroot, and these classes need a free
      # descriptor anyway.
      if Platform::JRUBY
        { Beneath: "beneath", EntryFile: "entry_file", FileTimes: "file_times", IgnoreRules: "ignore_rules",
          MarshalIndex: "marshal_index", RakePlan: "rake_plan", RakeWalk: "rake_walk", StoreFile: "store_file",
          Tree: "tree", TreeSnapshot: "tree_snapshot", TurnFile: "turn_file" }.each do |name, file|
          autoload(name, "#{__dir__}/pure/#{file}.rb")
          Loader.conceal_autoload("#{__dir__}/pure/#{file}.rb")
        end
      end
    end
  end
end

# Other Rubies load all files at once: later, the program may have called chroot.
unless Frugal::Platform::JRUBY
  require_relative "pure/beneath"
  require_relative "pure/entry_file"
  require_relative "pure/ignore_rules"
  require_relative "pure/marshal_index"
  require_relative "pure/rake_plan"
  require_relative "pure/rake_walk"
  require_relative "pure/store_file"
  require_relative "pure/tree"
  require_relative "pure/tree_snapshot"
  require_relative "pure/turn_file"
end
