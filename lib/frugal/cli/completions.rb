# frozen_string_literal: true

require_relative "definition"

module Frugal
  module CLI
    # The command `frugal completions`: prints a script that `rake cli` has generated.
    module Completions
      FILES = { "bash" => "frugal.bash", "zsh" => "_frugal", "fish" => "frugal.fish" }.freeze
      FOLDER = File.expand_path("../../../completions", __dir__)

      class << self
        # @param argv [Array<String>] the name of a shell
        # @return [Integer] exit status
        # @raise [UsageError] for an unknown shell
        def run(argv)
          _, (shell, *rest) = Definition["completions"].parse(argv)
          raise UsageError, "unexpected argument: #{rest.first}" if rest.any?
          raise UsageError, "the shell must be bash, zsh or fish (got #{shell || "none"})" unless FILES.key?(shell)

          $stdout.write(File.read(File.join(FOLDER, FILES[shell])))
          0
        end
      end
    end
  end
end
