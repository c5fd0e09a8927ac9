# frozen_string_literal: true

require_relative "frugal/loader"
require_relative "frugal/version"
require_relative "frugal/error"
require_relative "frugal/native"
require_relative "frugal/probe"
require_relative "frugal/walk"

# frugal saves system calls, exceptions and writes in Ruby programs.
#
#   require "frugal"
#   Frugal.mtime("Rakefile")   # => 2026-11-22 10:00:00 +0000: one system call
#   Frugal.mtime("missing")    # => nil: one system call, no exception
#   Frugal.enable(:rake)       # Rake asks the kernel about each file once
#
# `require "frugal"` alone patches nothing: a drop-in is switched on by {enable}, by its
# own file (`require "frugal/rake"`) or by `frugal run`.
module Frugal
  extend Probe
  extend Walk

  # A program that only asks needs no drop-in. Under `frugal run`, they may be needed where no lock can be taken.
  Loader.frugal_run? ? require_relative("frugal/dropin") : autoload(:Dropin, "#{__dir__}/frugal/dropin")

  class << self
    # Switches a drop-in on, now or as soon as its upstream library is loaded.
    #
    # @param name [Symbol] a name that `frugal doctor` lists, such as `:rake`
    # @return [Symbol] `:on`; `:waiting` until its upstream is loaded; `:off` because of an
    #   environment variable; `:aside` if its guard does not support this upstream
    # @raise [UsageError] if there is no drop-in of this name

    def enable(name) = Dropin.enable(name)
  end
end
