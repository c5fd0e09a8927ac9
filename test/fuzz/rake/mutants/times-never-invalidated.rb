# frozen_string_literal: true

# Mutant: an answer about a file stays valid for ever.
module RakeFuzz
  module TimesNeverInvalidated
    def invalidate = (super if @times.nil?)
  end
end

Frugal::Native::Pure::RakePlan.prepend(RakeFuzz::TimesNeverInvalidated)
