# frozen_string_literal: true

# Planted bug: what was once asked of a file counts for ever.
module RakeFuzz
  module TimesCachedForEver
    def forget = (super if @times.nil?)
  end
end

Frugal::Native::Pure::RakePlan.prepend(RakeFuzz::TimesCachedForEver)
