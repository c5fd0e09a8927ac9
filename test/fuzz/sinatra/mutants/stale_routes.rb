# frozen_string_literal: true

# Routes that were replaced in place are tried as they were.
Frugal::Dropin::Sinatra::Routes.prepend(Module.new { def of?(routes) = @patterns.size == routes.size })
