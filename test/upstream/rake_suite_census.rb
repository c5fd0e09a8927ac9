# frozen_string_literal: true

# Loaded into each Ruby process of Rake's suite. At the end it writes one word: the engine
# of the drop-in, or the drop-in's state where it is not on.
at_exit do
  status = Frugal::Dropin.status.find { |dropin| dropin.name == :rake } if defined?(Frugal::Dropin.status)
  state = status ? status.state : :unused
  state = Frugal::Native.engine::NAME if state == :on
  File.write(ENV.fetch("RAKE_SUITE_CENSUS"), "#{state}\n", mode: "a")
end
