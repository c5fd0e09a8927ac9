# frozen_string_literal: true

require_relative "frugal/published"
require_relative "frugal/version"
require_relative "frugal/error"
require_relative "frugal/native"
require_relative "frugal/probe"
require_relative "frugal/walk"
require_relative "frugal/dropin"

# frugal makes Ruby programs stop wasting system calls, exceptions and writes.
#
#   require "frugal"
#   Frugal.mtime("Rakefile")   # => 2026-11-22 10:00:00 +0000: one system call
#   Frugal.mtime("missing")    # => nil: one system call, no exception
#   Frugal.enable(:rake)       # Rake asks the kernel about each file once
#
# Requiring it patches nothing: a drop-in is switched on by {enable}, by its
# own file (<tt>require "frugal/rake"</tt>) or by <tt>frugal run</tt>.
module Frugal
  extend Probe
  extend Walk

  class << self
    # Switches a drop-in on, now or as soon as its upstream is loaded.
    #
    # @param name [Symbol] a name that +frugal doctor+ lists, such as +:rake+
    # @return [Symbol] +:on+; +:waiting+ for its upstream; +:off+ by the
    #   environment; +:aside+ where its guard does not know the upstream
    # @raise [UsageError] for a name that is no drop-in
    def enable(name) = Dropin.enable(name)
  end
end
