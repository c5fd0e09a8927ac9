# frozen_string_literal: true

module Frugal
  # The Ruby and the system that run this process. All other files use these constants, and ask {Native} what its
  # engine can do. Only the files that every process of `frugal run` loads before this one (autorun/start.rb,
  # dropin/dir/entrance.rb) ask Ruby itself.
  #
  #   Platform::JRUBY        # => false
  #   Platform.main_ractor?  # => true
  module Platform
    RUBY = RUBY_ENGINE # "ruby" for MRI
    MRI = RUBY == "ruby"
    JRUBY = RUBY == "jruby"
    SYSTEM = RUBY_PLATFORM # such as "x86_64-linux"
    LINUX = SYSTEM.include?("linux")
    MACOS = SYSTEM.include?("darwin")
    # A compiled library works with one Ruby ABI only, which is the name of its folder.
    ABI = "#{RUBY}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{SYSTEM}".freeze
    # A flag of open(2) for which JRuby has no constant: there it is 0, which has no effect.
    O_NOFOLLOW = File::Constants.const_defined?(:NOFOLLOW, false) ? File::NOFOLLOW : 0

    class << self
      # The main Ractor owns all state of the process (a store's lock, a table that is filled once). Other Ractors may
      # only read it.
      #
      # @return [Boolean] whether the current Ractor is the main one; true if this Ruby has no Ractors
      def main_ractor? = !MRI || ::Ractor.current.equal?(::Ractor.main)
    end
  end
end
