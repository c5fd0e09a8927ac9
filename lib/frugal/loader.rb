# frozen_string_literal: true

# Each file of frugal that a program can require loads this file first. Under `frugal run`, the next line loads the
# constant Frugal (autorun/constant.rb reads that line), and Loader is the one of autorun/loader.rb.
unless defined?(Frugal::Loader.publish)
  module Frugal
    # Loads frugal's own files by `require`. The Loader of `frugal run` has the same methods, and hides the files from
    # the program.
    module Loader
      class << self
        # @return [Boolean] whether `frugal run` has loaded frugal into this process
        def frugal_run? = false

        # @param path [String] a file of frugal: absolute
        # @raise [LoadError]
        def need(path) = require(path)

        # @param path [String] a compiled library: absolute
        # @raise [LoadError]
        alias need_library need

        # @param path [String] a file of frugal that an autoload is going to load, under JRuby
        def conceal_autoload(path); end

        # @param folder [String] lib/frugal/
        def publish(folder); end
      end
    end
  end
end

# Files that `frugal run` has already loaded into this process, hidden from the program, are not loaded again.
Frugal::Loader.publish("#{__dir__}/")
