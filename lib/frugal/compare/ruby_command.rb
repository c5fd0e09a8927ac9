# frozen_string_literal: true

require "rbconfig"

module Frugal
  class Compare
    # The command that starts the Ruby of this process again.
    #
    #   RubyCommand.path   # => "/usr/bin/ruby3.1"
    module RubyCommand
      CHECKOUT = File.expand_path("../../../bin/jruby", __dir__)
      private_constant :CHECKOUT

      # RbConfig.ruby of a JRuby that was started from its jars is a path inside of a jar.
      #
      # *Cost*: one or two `stat`.
      #
      # @return [String] a path, or a name in PATH
      def self.path
        return RbConfig.ruby if File.executable?(RbConfig.ruby)

        File.executable?(CHECKOUT) ? CHECKOUT : "jruby"
      end
    end
  end
end
