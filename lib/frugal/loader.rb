# frozen_string_literal: true

module Frugal
  unless const_defined?(:Loader, false)
    # Loads frugal's own files, as Ruby loads any. Under `frugal run`, where the program must not see them,
    # autorun/parts.rb has defined another Loader with the same methods.
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

# Each file that a program can require begins here: what `frugal run` has loaded into this process without the program's
# knowledge is not loaded again.
Frugal::Loader.publish("#{__dir__}/")
