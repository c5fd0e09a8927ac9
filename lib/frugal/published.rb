# frozen_string_literal: true

# Each file that a program can require begins here: what `frugal run` has loaded
# into this process without the program's knowledge is not loaded again.
Frugal::Parts.publish("#{__dir__}/") if defined?(Frugal::Parts.publish)
