# frozen_string_literal: true

module Frugal
  # The Ruby and the system that run this process. All other files ask here, and ask {Native} what its engine can do;
  # only what every process of `frugal run` loads before this file (autorun/start.rb, dropin/dir/entrance.rb) asks Ruby
  # itself.
  #
  #   Platform::JRUBY        # => false
  #   Platform.main_ractor?  # => true
  module Platform
    RUBY = RUBY_ENGINE # "ruby" for MRI
    MRI = RUBY == "ruby"
    JRUBY = RUBY == "jruby"
    LINUX = RUBY_PLATFORM.include?("linux")
    MACOS = RUBY_PLATFORM.include?("darwin")
    WINDOWS = RUBY_PLATFORM.match?(/mswin|mingw|cygwin/)
    # The processor: for numbers of the kernel that differ.
    X86_64 = RUBY_PLATFORM.include?("x86_64")
    ARM64 = RUBY_PLATFORM.include?("aarch64")
    # Flags of open(2): JRuby has no constant for the first one, and no Ruby for the second one. 0 has no effect.
    O_NOFOLLOW = File::Constants.const_defined?(:NOFOLLOW, false) ? File::NOFOLLOW : 0
    O_DIRECTORY = RUBY_PLATFORM.match?(/arm|aarch64|powerpc|ppc/) ? 0o40000 : 0o200000
    # A compiled library works with one Ruby ABI only, which is the name of its folder.
    ABI = "#{RUBY}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}".freeze

    class << self
      # The main Ractor owns all state of the process (a store's lock, a table that is filled once). Other Ractors may
      # only read it.
      #
      # @return [Boolean] whether the current Ractor is the main one; true if this Ruby has no Ractors
      def main_ractor? = !MRI || ::Ractor.current.equal?(::Ractor.main)
    end
  end
end
