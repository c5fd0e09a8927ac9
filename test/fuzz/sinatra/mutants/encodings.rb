# frozen_string_literal: true

# A path with %-encodings is treated as one that no literal route matches.
Frugal::Dropin::Sinatra::Routes.prepend(Module.new { def candidates(path) = super || @others })
