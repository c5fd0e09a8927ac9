# frozen_string_literal: true

module Frugal
  module CLI
    # The command `frugal run`. The shell script `libexec/frugal-run` does the work.
    module Run
      LAUNCHER = File.expand_path("../../../libexec/frugal-run", __dir__)

      class << self
        # Replaces this process by the command; does not return.
        #
        # @param argv [Array<String>] options and the command
        def run(argv) = exec("/bin/sh", LAUNCHER, "run", *argv)
      end
    end
  end
end
