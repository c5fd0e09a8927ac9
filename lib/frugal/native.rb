# frozen_string_literal: true

module Frugal
  # The engine: C under MRI, plain Ruby everywhere else. Both answer the same
  # messages, so nothing above asks which one it has.
  #
  #   Frugal::Native.engine_name     # => :c, or :pure
  #   Frugal::Native.engine.mtime("Rakefile")
  #
  # <tt>FRUGAL_ENGINE=pure</tt> selects the pure twin. A missing or foreign
  # library (another Ruby, another machine) selects it too, silently: a child
  # process with another Ruby must run as it would without us.
  module Native
    # The compiled library is bound to one Ruby ABI, so its folder names it.
    ABI = "#{RUBY_ENGINE}-#{RUBY_VERSION[/\A\d+\.\d+/]}-#{RUBY_PLATFORM}"

    class << self
      # @return [Module] {C} or {Pure}
      attr_reader :engine

      # @return [Symbol] +:c+ or +:pure+
      def engine_name = engine.const_get(:NAME)

      private

      def load_c
        return if ENV["FRUGAL_ENGINE"] == "pure" || RUBY_ENGINE != "ruby"

        library = "#{__dir__}/native/#{ABI}/frugal.#{RUBY_PLATFORM.include?("darwin") ? "bundle" : "so"}"
        defined?(Parts) ? Parts.need_library(library) : require(library)
        C
      rescue LoadError
        nil
      end

      def load_pure
        require_relative "native/pure"
        Pure
      end
    end

    # Now: later the program may have left for another root directory, or have no descriptor left.
    @engine = load_c || load_pure
  end
end
