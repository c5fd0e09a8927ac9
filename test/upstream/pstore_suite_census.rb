# frozen_string_literal: true

# Loaded into each Ruby process of the suites. At the end it writes one word: the engine
# of the drop-in, or the drop-in's state where it is not on.
at_exit do
  status = Frugal::Dropin.status.find { |dropin| dropin.name == :pstore }
  state = status.state == :on ? Frugal::Native.engine::NAME : status.state
  File.write(ENV.fetch("PSTORE_SUITE_CENSUS"), "#{state}\n", mode: "a")
end
