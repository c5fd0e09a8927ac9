# frozen_string_literal: true

require_relative "../native"
require_relative "../walk/fast_glob"
require_relative "guard"
require_relative "replace"

module Frugal
  module Dropin
    # Makes Dir.glob and Dir[] list by a walk on several threads, where the pattern
    # is one that a walk answers to the letter: {Walk::FastGlob} says which.
    #
    #   require "frugal/dir"
    #   Dir.glob("**/*.rb")                # twice to three times as fast
    #   Dir.glob("**/*", base: __dir__)    # as fast, and Pathname#glob with it
    #   Dir.glob("{a,b}/?.rb")             # Ruby's own
    #
    # Cost: that of Frugal.walk; for any other pattern two Regexps, and no system call.
    module Dir
      NAMES = %i[glob []].freeze

      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          return "without the C engine it would not pay" unless Native.engine_name == :c

          changed = NAMES.find { |name| !core?(name) }
          "Dir.#{changed} was redefined" if changed
        end

        def install
          Replace.methods(::Dir.singleton_class, Methods)
        end

        private

        # Since Ruby 2.7 these two are written in Ruby, inside the interpreter.
        def core?(name)
          method = ::Dir.method(name)
          method.owner.equal?(::Dir.singleton_class) && method.source_location&.first == "<internal:dir>"
        end
      end

      # In Dir's singleton class.
      module Methods
        def glob(pattern, _flags = 0, flags: _flags, base: nil, sort: true, &block)
          paths = Walk::FastGlob.paths(pattern, sort: sort, base: base, flags: flags) do |one|
            frugal_stock_glob(one, flags, base: base, sort: sort)
          end
          return frugal_stock_glob(pattern, flags, base: base, sort: sort, &block) unless paths
          return paths unless block

          paths.each(&block)
          nil
        end

        def [](*patterns, base: nil, sort: true)
          strings = patterns.size != 1 || patterns.first.instance_of?(String) # an array in it is refused
          (strings && Walk::FastGlob.paths(patterns, sort: sort, base: base) { |one| frugal_stock_at(one, base: base, sort: sort) }) ||
            frugal_stock_at(*patterns, base: base, sort: sort)
        end
      end
    end
  end
end
