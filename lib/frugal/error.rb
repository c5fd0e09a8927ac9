# frozen_string_literal: true

module Frugal
  # The base class of all errors that frugal defines. Errors of the file system are
  # raised as the usual `Errno` classes.
  class Error < StandardError; end

  # Invalid arguments: an unknown drop-in, an unknown option. The message lists the
  # valid ones.
  class UsageError < Error; end

  # A command cannot be started. `status` is what a shell would return: 127 or 126.
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
end
