# frozen_string_literal: true

module Frugal
  # The base class of all errors that frugal defines. Errors of the file system are
  # raised as the usual `Errno` classes.
  class Error < StandardError; end

  # Invalid arguments: an unknown drop-in, an unknown option. The message lists the
  # valid ones.
  class UsageError < Error; end

  # A command cannot be started. `status` is the exit status that a shell would return: 127 or 126.
  class CommandError < Error
    # @return [Integer]
    attr_reader :status

    # @param message [String]
    # @param status [Integer]
    def initialize(message, status)
      super(message)
      @status = status
    end
  end

  # A file is not a valid store: it is truncated, overwritten, or has another format.
  # The message describes what was found.
  class CorruptStore < Error; end

  # The server of a store cannot be reached, or refuses to work: it is a read-only replica, its
  # memory is full, the password is wrong. The message names the reason, and whether a transaction
  # may have been saved.
  class StoreUnavailable < Error; end

  # Each time that a transaction ran, other processes changed what it had read. Nothing was saved.
  class StoreConflict < Error; end
end
