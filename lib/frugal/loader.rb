# frozen_string_literal: true

# Each file that a program can require begins here. Under `frugal run`, this line loads the constant (see
# autorun/constant.rb, which reads the line), and Loader is that of autorun/loader.rb.
unless defined?(Frugal::Loader)
  module Frugal
    # Loads frugal's own files, as Ruby loads any. That of `frugal run` has the same methods, and hides the files from
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

# What `frugal run` has loaded into this process without the program's knowledge is not loaded again.
Frugal::Loader.publish("#{__dir__}/")
