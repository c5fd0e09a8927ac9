# frozen_string_literal: true

# Files that may be missing: rescue, stat first, or a probe; warm, cold, and deep in the stack
#
# The idioms are in probes/idioms.rb, the targets in probes/results.rb.

require_relative "probes/benchmark"
require_relative "probes/report"

subject = Frugal::Bench.define("probes", Frugal::ProbesBench) do
  description <<~TEXT
    Checks 2,500 directories and files that exist, and as many that do not: by rescuing the exception, by checking
    first whether the path exists, and by a probe, alternately in one process; 0, 100 and 300 frames deep; from
    memory, and from the disk if that is allowed; then under JRuby and in Java, if they are installed. Also counts
    system calls (with strace) and exceptions. Takes about four minutes.
  TEXT
  example "frugal bench probes --svg probes.svg", "a chart too"
  example "sudo frugal bench probes --save", "from the disk too, and a report to keep"
  rounds 21, "number of rounds from memory"
  option "--cold HOW", Frugal::ProbesBench::Cold::WAYS,
         "how to read from the disk; drop: drop all caches of the machine, for root only (the default for root, " \
         "without --quick); files: only drop the contents of files; no: do not"
  number "--cold-rounds N", 3, "number of rounds from the disk"
  quick
  folder "where the directories are generated"
  reports chart: true
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
