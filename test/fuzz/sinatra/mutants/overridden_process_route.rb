# frozen_string_literal: true

# Routes are skipped although process_route is overridden.
Frugal::Dropin::Sinatra.singleton_class.prepend(Module.new { def skip_routes?(*) = true })
