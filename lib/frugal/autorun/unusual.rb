# frozen_string_literal: true

# What autorun.rb does where frugal is off, is there already, or has to leave its name to the program:
#
# - `FRUGAL=0`: nothing is loaded, but a program that requires frugal works.
# - A second -r loads autorun.rb again, as it is not a feature.
# - A file that was required before has a Frugal of its own.
# - The program has required frugal, and a drop-in waits for its upstream.
# - There is no bytecode.
off = ENV["FRUGAL"].to_s.b.match?(/\A(?:0|off|no|false)\z/i) # as in dropin/switch.rb
again = defined?(FrugalRuntime::Start.wake)
own = !again && defined?(Frugal) && !defined?(Frugal::VERSION) && !defined?(Frugal::Native)
verbose = ENV["FRUGAL_VERBOSE"] == "1"
autorun = caller_locations(1, 1).first.path
if own
  $stderr.puts "frugal: stands aside: the program has a Frugal of its own" if !off && verbose
elsif !again && defined?(Frugal::Dropin.enable)
  require "#{__dir__}/#{RUBY_ENGINE}.rb"
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
# A program that requires frugal works with everything off, too; otherwise autorun/watcher.rb sees to it.
lib = File.expand_path("../..", __dir__)
$LOAD_PATH.push(lib) if off && !$LOAD_PATH.include?(lib)
$stderr.puts "frugal: all drop-ins: off: FRUGAL=#{ENV["FRUGAL"]}" if off && verbose
