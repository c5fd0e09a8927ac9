# frozen_string_literal: true

require_relative "loader"
require_relative "cache/directory"
require_relative "cache/limit"
require_relative "cache/matching"
require_relative "cache/reading"
require_relative "cache/expiry"
require_relative "cache/counters"

module Frugal
  # The parts of ActiveSupport::Cache::FrugalStore. {Cache::Directory} does not need ActiveSupport.
  module Cache
  end
end
