# frozen_string_literal: true

module Frugal
  # The root of every error that is frugal's own. Faults of the file system
  # stay the usual +Errno+ classes.
  class Error < StandardError; end

  # The caller asked for something that does not exist or cannot be: an unknown
  # drop-in, an unknown option. The message names what is known.
  class UsageError < Error; end

  # A file is not the store that it should be, or no longer one: cut off, of
  # another format, overwritten. The message says what it looks like.
  class CorruptStore < Error; end
end
