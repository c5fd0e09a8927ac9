# frozen_string_literal: true

# Under `frugal run`, the constant Frugal is loaded from this file when the program first mentions it. If a file of the
# program defines its own `class Frugal` or `module Frugal`, the constant is left to the program, and frugal waits for
# no further library. An assignment, `Frugal = 1`, replaces the constant without loading this file.
FrugalRuntime::Start.wake
asker = caller_locations.find do |location|
  path = location.path
  location.base_label != "require" && !path.start_with?("<internal:") && !path.end_with?("/bundled_gems.rb")
end
code = begin
  # The script of `ruby -e` is in no file, only in the command line.
  lines = File.foreach(asker.path, mode: "rb").first(asker.lineno) unless asker.path == "-e"
  lines ? lines.last : File.binread("/proc/self/cmdline")
rescue SystemCallError
  nil # evaluated code
end
definition = code&.match(/\b(class|module)\s+(?:::)?Frugal\b(?!::)/)
# A gemspec loads the version.rb of a copy of frugal, perhaps of this copy.
copy = definition && definition[1] == "module" && asker.path.end_with?("/lib/frugal/version.rb")
if definition.nil? || copy
  Frugal = FrugalRuntime
  FrugalRuntime::Autorun::Work.finish if defined?(FrugalRuntime::Autorun::Work)
else
  FrugalRuntime::Autorun.stand_aside("the program has a Frugal of its own")
  if definition[1] == "module"
    Frugal = Module.new
  elsif $VERBOSE
    # Ruby removes the constant, because this file does not define it, before the body of the class begins. With -w,
    # Ruby also prints a warning, which is suppressed here.
    $VERBOSE = false
    body = TracePoint.new(:class) do
      $VERBOSE = true
      body.disable
    end
    body.enable
  end
end
FrugalRuntime::Loader.conceal(__FILE__)
