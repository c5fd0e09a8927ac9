# frozen_string_literal: true

# Loaded into the Ruby process that runs a suite. At the end it writes a line with the
# engine and the drop-ins that were on.
at_exit do
  next unless defined?(Frugal::Dropin)

  on = Frugal::Dropin.status.select { |dropin| dropin.state == :on }
  engine = on.empty? ? "none" : Frugal::Native.engine::NAME
  File.write(ENV.fetch("FRUGAL_SUITE_CENSUS"), "#{[engine, *on.map(&:name)].join(" ")}\n", mode: "a")
end
