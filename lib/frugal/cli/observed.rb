# frozen_string_literal: true

require_relative "complaint"
require_relative "../profile/run"
require_relative "../readable"

module Frugal
  module CLI
    # Runs a program to observe it, as for `frugal profile` and `frugal budget`. Standard output belongs to the program,
    # so all text of frugal goes to stderr, and frugal ends as the program did.
    module Observed
      # Kills itself, so that the caller gets the same signal. Ruby cannot do this: it handles SEGV and other signals
      # itself.
      DIE = 'ulimit -c 0; kill -"$1" $$; exit $((128 + $1))'
      private_constant :DIE

      class << self
        # @param command [Array<String>]
        # @param options [Hash] the options of {Profile::Run}
        # @return [Profile::Recording]
        # @raise [Failure] if the command cannot be started, with the status of a shell: 126 or 127
        def record(command, **options)
          Frugal::Profile::Run.new(command, **options).call
        rescue Frugal::CommandError => e
          raise Failure.new(e.message, status: e.status)
        end

        # @param word [String] the value of `--recorder`
        # @return [Symbol]
        # @raise [UsageError]
        def recorder(word)
          names = Frugal::Profile::Recorders::NAMES
          return word.to_sym if names.include?(word.to_sym)

          raise UsageError, "--recorder: must be #{names.join(" or ")} (got #{word})"
        end

        # Prints text for people. Ignores a closed stderr, so that the status of the program is not lost.
        #
        # @param text [String] of any bytes
        # @return [void]
        def say(text)
          $stderr.write(text.b)
        rescue SystemCallError, IOError
          nil
        end

        # @param text [String] of any bytes, such as a path
        # @return [String] the text in UTF-8, with escaped control characters
        def visible(text)
          Frugal::Readable.text(text).gsub(/[[:cntrl:]]/) { |character| character.dump[1..-2] }
        end

        # If a signal killed the program, kills this process with the same signal, and does not return.
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
