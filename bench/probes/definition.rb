# frozen_string_literal: true

require_relative "../support/definition"
require_relative "cold"

module Frugal
  module ProbesBench
    DEFINITION = Bench.define("probes") do
      description <<~TEXT
        Checks 2,500 directories and files that exist, and as many that do not: by rescuing the exception, by checking
        first whether the path exists, and by a probe, alternately in one process; 0, 100 and 300 frames deep; from
        memory, and from the disk if that is allowed; then under JRuby and in Java, if they are installed. Also counts
        system calls (with strace) and exceptions. Takes about four minutes.
      TEXT
      example "frugal bench probes --svg probes.svg", "a chart too"
      example "sudo frugal bench probes --save", "from the disk too, and a report to keep"
      rounds "number of rounds from memory (default: 21)"
      option "--cold HOW", Cold::WAYS, "how to read from the disk; drop: drop all caches of the machine, for root " \
                                       "only (the default for root, without --quick); files: only drop the contents of " \
                                       "files; no: do not"
      option "--cold-rounds N", OptionParser::DecimalInteger, "number of rounds from the disk (default: 3)"
      quick
      folder "where the directories are generated"
      reports chart: true
    end
  end
end
