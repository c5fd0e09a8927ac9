# frozen_string_literal: true

require_relative "loader"
require_relative "platform"

module Frugal
  # The engine: C under MRI, Java under JRuby, Ruby everywhere else. All have the same methods, so that
  # callers need not know which one is used.
  #
  #   Frugal::Native.engine_name     # => :c, :java or :pure
  #   Frugal::Native.engine.mtime("Rakefile")
  #
  # `FRUGAL_ENGINE=pure` selects the pure twin. A library that is missing or was compiled
  # for another Ruby or machine also selects it. Under `frugal run`, this prints no message: a child process
  # with another Ruby must run as it does without frugal. Otherwise a line on stderr reports a probable mistake:
  # a checkout that is not compiled or an unknown FRUGAL_ENGINE (native/notice.rb), or a jar that does not load.
  module Native
    autoload :Notice, "#{__dir__}/native/notice"

    class << self
      # @return [Module] `C`, `Java` or `Pure`
      attr_reader :engine

      # @return [String, nil] why an existing jar is not used
      attr_reader :problem

      # @return [Symbol] `:c`, `:java` or `:pure`
      def engine_name = engine.const_get(:NAME)

      # @param name [Symbol] a class, such as `:FindWalk`
      # @return [Boolean] whether the engine itself has it; a class of that name in the program does not count
      def can?(name) = engine.ancestors.any? { |part| part.const_defined?(name, false) }

      # Loads classes of the engine that are otherwise loaded when they are first used.
      #
      # @param part [Symbol] `:stores` or `:find_walk`
      # @return [void]
      # @raise [LoadError, SystemCallError]
      def need(part)
        engine.need(part) if engine_name == :java
      end

      private

      # Whether the user expects this engine, so that no notice is necessary.
      def expected?
        wanted = ENV["FRUGAL_ENGINE"].to_s
        wanted.empty? ? engine_name != :pure : wanted == engine_name.name
      end

      def load_c
        return if ENV["FRUGAL_ENGINE"] == "pure" || !Platform::MRI

        library = "#{__dir__}/native/#{Platform::ABI}/frugal.#{Platform::MACOS ? "bundle" : "so"}"
        Loader.need_library(library)
        C
      rescue LoadError
        nil
      end

      def load_java
        return if ENV["FRUGAL_ENGINE"] == "pure" || !Platform::JRUBY || !File.exist?("#{__dir__}/native.jar")

        require_relative "native/java"
        Java.load
      rescue LoadError => e
        @problem = e.message
        warn "frugal: the Java engine is not used, as it does not load: #{@problem}"
      end

      def load_pure
        require_relative "native/pure"
        Pure
      end
    end

    # Loaded at once: later the program may have called chroot, or may have no free descriptor.
    @engine = load_c || load_java || load_pure
    Notice.print unless Loader.frugal_run? || expected?
  end
end
