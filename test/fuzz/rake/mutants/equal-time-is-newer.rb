# frozen_string_literal: true

# Mutant: a file with the same time as its dependent counts as newer.
module RakeFuzz
  module GreaterOrEqual
    def newer?(time, stamp) = time >= stamp
  end
end

Frugal::Native::Pure::RakePlan.prepend(RakeFuzz::GreaterOrEqual)
