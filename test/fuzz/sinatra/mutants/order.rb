# frozen_string_literal: true

# Routes without a literal first segment are tried last.
Frugal::Dropin::Sinatra::Routes.prepend(
  Module.new { def candidates(path) = super&.sort_by { |place| @others.include?(place) ? 1 : 0 } }
)
