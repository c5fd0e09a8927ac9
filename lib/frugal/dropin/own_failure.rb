# frozen_string_literal: true

require_relative "../native"

module Frugal
  module Dropin
    # Matches, in a rescue clause, an error in frugal's own code. The method then calls
    # upstream's, as long as the program has not seen an effect of ours. {EntryMethod} generates this
    # clause from `or_stock`; a helper that has another answer than upstream's method uses {or_else}.
    #
    #   def stat(path) = or_stock(false) { Dropin::Sprockets.stat(path) }
    #   def frugal_plan = OwnFailure.or_else(nil) { Rake.plan(self) }
    #
    # Such an error has a class that Ruby itself raises, and its first line is in a file of
    # frugal. An error of the program does not match: a signal handler and a block have
    # lines in other files, and the C engine records what another thread, or Timeout, has
    # raised while the engine waited. Their exception is mistaken for a failure only if its
    # class is Ruby's own, and it is raised in frugal's lines of Ruby, or with another engine.
    module OwnFailure
      FOLDER = "#{::File.expand_path("..", __dir__)}/".freeze
      CLASSES = [
        ::NameError, ::NoMethodError, ::TypeError, ::ArgumentError, ::FrozenError, ::LocalJumpError,
        ::IndexError, ::KeyError, ::RangeError, ::FloatDomainError, ::ZeroDivisionError, ::StopIteration,
        ::IOError, ::EOFError, ::EncodingError, ::Encoding::CompatibilityError, ::Encoding::UndefinedConversionError,
        ::Encoding::InvalidByteSequenceError, ::Encoding::ConverterNotFoundError, ::RegexpError, ::ThreadError,
        ::FiberError, ::NoMatchingPatternError, ::SystemStackError, ::LoadError, ::SyntaxError, ::NotImplementedError,
        *(::Ractor::IsolationError if Platform::MRI)
      ].freeze # so that any Ractor may read it
      private_constant :FOLDER, :CLASSES

      class << self
        # Runs frugal's own code in a block. The block adds frames to a backtrace, so no code of the program may run in
        # it that could show them.
        #
        # @param otherwise [Object] the result if this code fails
        # @return [Object] the result of the block
        def or_else(otherwise)
          yield
        rescue OwnFailure
          otherwise
        end

        # Whether a method of the engine that an {EntryMethod} calls has failed. The EntryMethod has upstream's path,
        # so the error seems to be raised in upstream.
        #
        # @param error [Exception]
        # @param name [String] of the engine's method
        # @return [Boolean]
        def of?(error, name)
          known_class?(error) && error.backtrace_locations&.first&.base_label == name && !interruption?(error)
        end

        # *Cost*: no system call; an object for each frame of the backtrace.
        #
        # @param error [Exception]
        # @return [Boolean]
        def ===(error)
          known_class?(error) && in_frugal?(error) && !interruption?(error)
        end

        # @param error [Exception]
        # @return [Boolean] whether Ruby itself, or frugal, raises exceptions of this class
        def known_class?(error) = CLASSES.include?(error.class) || ::SystemCallError === error || Error === error

        # *Cost*: as {===}.
        #
        # @param error [Exception] of any class
        # @return [Boolean] whether it was raised in a file of frugal
        def in_frugal?(error)
          place = error.backtrace_locations&.find { |line| !native?(line.path) }
          place.nil? || place.path.start_with?(FOLDER)
        end

        private

        def interruption?(error) = Native.engine.interruption?(error)

        # "<internal:" begins the path of a method of Ruby's own that is written in Ruby. JRuby also shows the methods
        # that are written in Java, its own and the engine's.
        def native?(path) = path.start_with?("<internal:") || (Platform::JRUBY && path.end_with?(".java"))
      end
    end
  end
end
