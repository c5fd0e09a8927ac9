# frozen_string_literal: true

# Planted bug: a file that is as old as its dependent counts as newer.
module RakeFuzz
  module GreaterOrEqual
    def newer?(time, stamp) = time >= stamp
  end
end

Frugal::Native::Pure::RakePlan.prepend(RakeFuzz::GreaterOrEqual)
