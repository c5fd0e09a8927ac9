# frozen_string_literal: true

require_relative "../native"
require_relative "../walk/fast_glob"
require_relative "own_failure"
require_relative "dir/entrance"

module Frugal
  module Dropin
    # Makes Dir.glob and Dir[] list with a walk on several threads, for the patterns for
    # which the result is exactly the same: see {Walk::FastGlob}.
    #
    #   require "frugal/dir"
    #   Dir.glob("**/*.rb")                # twice to three times as fast
    #   Dir.glob("**/*", base: __dir__)    # as fast, and so is Pathname#glob
    #   Dir.glob("{a,b}/?.rb")             # as before: Ruby answers it
    #
    # *Cost*: as Frugal.walk; for any other pattern two Regexp matches and no system call.
    module Dir
      class << self
        # @return [String, nil] the reason why this drop-in stands aside
        def guard
          return "it pays only with the C or the Java engine" unless native?
          return "names of files are not in UTF-8 here" unless names_in_utf8?

          "Dir.#{changed} was redefined" if changed
        end

        # Enables the walk.
        def install
          place
          @walks = true
        end

        private

        def native? = Native.engine_name != :pure && Native.engine.const_defined?(:Tree, false)

        # Elsewhere JRuby cannot read most names, and its errors differ.
        def names_in_utf8? = RUBY_ENGINE != "jruby" || Native.engine::Tree.respond_to?(:glob)

        def walked(pattern, flags, base, sort)
          Walk::FastGlob.parts(pattern, sort: sort, base: base, flags: flags)
        end
      end
    end
  end
end
