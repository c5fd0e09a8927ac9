# frozen_string_literal: true

require_relative "complaint"
require_relative "../profile/run"
require_relative "../readable"

module Frugal
  module CLI
    # A program that is run to be observed, as by `frugal profile` and `frugal budget`. Standard output is the
    # program's, so all of frugal's text goes to stderr, and frugal ends as the program did.
    module Observed
      # Kills itself, so that the caller sees the same signal. Ruby cannot do it: it handles SEGV and others itself.
      DIE = 'ulimit -c 0; kill -"$1" $$; exit $((128 + $1))'
      private_constant :DIE

      class << self
        # @param command [Array<String>]
        # @param options [Hash] those of {Profile::Run}
        # @return [Profile::Recording]
        # @raise [Failure] if the command cannot be started, with the status of a shell: 126 or 127
        def record(command, **options)
          Frugal::Profile::Run.new(command, **options).call
        rescue Frugal::CommandError => e
          raise Failure.new(e.message, status: e.status)
        end

        # @param word [String] of `--recorder`
        # @return [Symbol]
        # @raise [UsageError]
        def recorder(word)
          names = Frugal::Profile::Recorders::NAMES
          return word.to_sym if names.include?(word.to_sym)

          raise UsageError, "--recorder: must be #{names.join(" or ")} (got #{word})"
        end

        # Prints text for people. A closed stderr is no reason to lose the status of the program.
        #
        # @param text [String] of any bytes
        # @return [void]
        def say(text)
          $stderr.write(text.b)
        rescue SystemCallError, IOError
          nil
        end

        # @param text [String] of any bytes, such as a path
        # @return [String] what a terminal shows as it is, in UTF-8
        def visible(text)
          Frugal::Readable.text(text).gsub(/[[:cntrl:]]/) { |character| character.dump[1..-2] }
        end

        # Does not return if a signal killed the program: then it kills this process, too.
        #
        # @param status [Process::Status] of the program
        # @param otherwise [Integer] the exit status if the program succeeded
        # @return [Integer] exit status
        def finish(status, otherwise = 0)
          return status.success? ? otherwise : status.exitstatus unless status.signaled?

          $stdout.flush
          exec("/bin/sh", "-c", DIE, "sh", status.termsig.to_s)
        end
      end
    end
  end
end
