# frozen_string_literal: true

# What autorun.rb does in the unusual cases:
#
# - `FRUGAL=0`: nothing is loaded, but a program that requires frugal works.
# - A second -r loads autorun.rb again, because autorun.rb is not in $LOADED_FEATURES.
# - A file that was required before defines its own Frugal.
# - The program has required frugal before, as in `frugal run -- ruby -rfrugal/store`: its files stay visible.
# - There is no bytecode.
off = ENV["FRUGAL"].to_s.b.match?(/\A(?:0|off|no|false)\z/i) # as in dropin/switch.rb
again = defined?(FrugalRuntime::Start.wake)
required = !again && defined?(Frugal::Loader.publish)
own = !again && !required && defined?(Frugal) && !defined?(Frugal::VERSION)
verbose = ENV["FRUGAL_VERBOSE"] == "1"
autorun = caller_locations(1, 1).first.path
if own
  $stderr.puts "frugal: stands aside: the program has a Frugal of its own" if !off && verbose
elsif required && !off
  # Maybe another copy of frugal.
  copy = File.dirname(Frugal::Loader.method(:publish).source_location.first)
  require "#{copy}/dropin.rb"
  Frugal::Dropin::CATALOGUE.each_key { |name| Frugal::Dropin.enable(name) }
elsif off || again
  # The next script is compiled when the `require` of autorun.rb is over.
  over = RUBY_ENGINE == "ruby" && TracePoint.new(:script_compiled) do
    over.disable
    again ? FrugalRuntime::Start.hide(autorun) : $LOADED_FEATURES.delete(autorun)
  end
  over.enable if over
else
  load "#{__dir__}/start.rb"
  FrugalRuntime::Start.call(autorun)
end
# With everything off, a program can still require frugal. Otherwise Loader.offer and Loader.reach make
# that possible.
lib = File.expand_path("../..", __dir__)
$LOAD_PATH.push(lib) if off && !$LOAD_PATH.include?(lib)
$stderr.puts "frugal: all drop-ins: off: FRUGAL=#{ENV["FRUGAL"]}" if off && verbose
