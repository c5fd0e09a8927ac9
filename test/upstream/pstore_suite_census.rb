# frozen_string_literal: true

# Loaded into each Ruby process of the suites: says at its end, in one word, which
# engine the drop-in had, or what became of it.
at_exit do
  status = Frugal::Dropin.status.find { |dropin| dropin.name == :pstore }
  state = status.state == :on ? Frugal::Native.engine::NAME : status.state
  File.write(ENV.fetch("PSTORE_SUITE_CENSUS"), "#{state}\n", mode: "a")
end
