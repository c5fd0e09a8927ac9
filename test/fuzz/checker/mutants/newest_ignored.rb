# frozen_string_literal: true

# Mutant: only the number of files counts.
Frugal::Native.engine::Newest.prepend(Module.new { def unchanged?(count, _time, _nanoseconds, *now) = super(count, *now, *now) })
