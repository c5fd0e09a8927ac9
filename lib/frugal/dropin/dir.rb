# frozen_string_literal: true

require_relative "../native"
require_relative "../walk/fast_glob"
require_relative "own_failure"
require_relative "dir/entrance"

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
      class << self
        # @return [String, nil] why this drop-in stands aside
        def guard
          return "without the C engine it would not pay" unless Native.engine_name == :c

          "Dir.#{changed} was redefined" if changed
        end

        # From now on a walk answers.
        def install
          place
          @walks = true
        end

        private

        def walked(pattern, flags, base, sort)
          Walk::FastGlob.parts(pattern, sort: sort, base: base, flags: flags)
        end
      end
    end
  end
end
