# frozen_string_literal: true

require_relative "native"

module Frugal
  # The command that starts `frugal run`: the program that bin/setup or the installation of the gem has compiled, or
  # else the shell script. Both do the same.
  #
  #   Launcher.command   # => ["/…/lib/frugal/native/ruby-3.1-x86_64-linux-gnu/frugal-run", "run"]
  module Launcher
    COMPILED = "#{__dir__}/native/#{Platform::ABI}/frugal-run".freeze
    SCRIPT = File.expand_path("../../libexec/frugal-run", __dir__)

    # @return [Array<String>] the words before the options of `frugal run`
    def self.command = File.executable?(COMPILED) ? [COMPILED, "run"] : ["/bin/sh", SCRIPT, "run"]
  end
end
