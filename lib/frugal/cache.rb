# frozen_string_literal: true

require_relative "loader"
require_relative "cache/directory"
require_relative "cache/limit"
require_relative "cache/matching"
require_relative "cache/reading"
require_relative "cache/expiry"
require_relative "cache/counters"

module Frugal
  # What ActiveSupport::Cache::FrugalStore consists of. {Cache::Directory} needs no ActiveSupport.
  module Cache
  end
end
