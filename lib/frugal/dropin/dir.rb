# frozen_string_literal: true

require_relative "../native"
require_relative "own_failure"
require_relative "dir/methods"

module Frugal
  module Dropin
    # Makes Dir.glob and Dir[] list with a walk on several threads, for the patterns for
    # which the result is exactly the same: see {Walk::FastGlob}.
    #
    #   require "frugal/dir"
    #   Dir.glob("**/*.rb")                # twice to three times as fast
    #   Dir.glob("**/*", base: __dir__)    # as fast, and so is Pathname#glob
    #   Dir.glob("lib/*.rb")               # after one of these, with half of the instructions
    #   Dir.glob("{a,b}/?.rb")             # as before: Ruby answers it
    #
    # *Cost*: as Frugal.walk; one `open` for a folder that is not there; one `lstat` for a path. A pattern that Ruby
    # answers costs Ruby's own calls.
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
          tree = Native.engine::Tree
          if tree.respond_to?(:define_at_once)
            singleton_class.alias_method(:at_once_before, :at_once) # prevents Ruby's warning
            tree.define_at_once(self)
          else
            fast_glob
          end
          @walks = true
        end

        private

        def native? = Native.engine_name != :pure && Native.engine.const_defined?(:Tree, false)

        # Whether names are in UTF-8. If not, JRuby cannot read most names, and its errors differ.
        def names_in_utf8? = !Platform::JRUBY || Native.engine::Tree.respond_to?(:glob)

        def walked(pattern, flags, base, sort) = fast_glob.parts(pattern, sort: sort, base: base, flags: flags)

        # Loaded when it is first used, because most programs have only patterns that the C engine reads.
        def fast_glob
          return Walk::FastGlob if defined?(Frugal::Walk::FastGlob.parts)

          ::Thread.handle_interrupt(::Object => :never) do
            require_relative "../walk/fast_glob"
          end
          Walk::FastGlob
        end
      end
    end
  end
end
