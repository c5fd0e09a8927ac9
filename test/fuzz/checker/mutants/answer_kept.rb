# frozen_string_literal: true

# Mutant: an answer is kept for ever.
Frugal::Native.engine::Newest.prepend(Module.new { def unchanged?(*) = @kept ||= super })
