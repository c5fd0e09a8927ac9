# frozen_string_literal: true

# waste: dropped_backtrace 12
# A debug log that is off, but its argument is rendered.

def debug(_text) = nil
def deep(level, &block) = level.zero? ? block.call : deep(level - 1, &block)
deep(40) do
  50.times do
    raise ArgumentError, "no"
  rescue ArgumentError => e
    debug(e.full_message(highlight: false))
  end
end
puts "done"
