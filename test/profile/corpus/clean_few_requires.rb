# frozen_string_literal: true

# clean

require "set"
require "json"
require "time"
puts JSON.generate([1])
