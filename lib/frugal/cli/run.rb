# frozen_string_literal: true

module Frugal
  module CLI
    # Words of <tt>frugal run</tt>. libexec/frugal-run does the work: it is on its
    # way before a Ruby would have started.
    module Run
      SUMMARY = "run a Ruby command with all drop-ins that know what it loads"
      HELP = <<~TEXT
        usage: frugal run [--only A,B] [--except A] [--] COMMAND...

        Runs COMMAND as it is. In it, and in every Ruby that it starts, a drop-in takes
        the place of slow parts of a library at the moment that the library is loaded.
        Results, errors and output stay the same; a library that a drop-in does not
        know stays as it is. Nothing is needed in the project or in its Gemfile.

          frugal run -- rake                          a build
          frugal run --only rake -- bundle exec rake  with one drop-in only

        options:
          --only A,B     these drop-ins and no others
          --except A     all drop-ins but these
          The names are those that `frugal doctor` lists.

        environment:
          FRUGAL=0           nothing is switched on
          FRUGAL_RAKE=0      this one is not
          FRUGAL_VERBOSE=1   says on stderr what is on, and what stands aside and why
          FRUGAL_ENGINE=pure plain Ruby in place of the compiled library

        Exit status, signals, input and terminal are COMMAND's own. 127: it was not
        found; 126: it cannot be executed; 2: wrong usage.

        next: frugal compare -- COMMAND   how much it gains
      TEXT

      LAUNCHER = File.expand_path("../../../libexec/frugal-run", __dir__)

      class << self
        # Becomes the command; does not come back.
        #
        # @param argv [Array<String>] options and the command
        def run(argv) = exec("/bin/sh", LAUNCHER, "run", *argv)
      end
    end
  end
end
