# frozen_string_literal: true

# A path with %-encodings is taken for one that no literal matches.
Frugal::Dropin::Sinatra::Routes.prepend(Module.new { def candidates(path) = super || @others })
