# frozen_string_literal: true

# waste: load_path_misses require

require "set"
require "json"
require "time"
puts JSON.generate([1])
