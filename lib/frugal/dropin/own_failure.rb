# frozen_string_literal: true

module Frugal
  module Dropin
    # What went wrong in frugal's own code, for a rescue clause: then it is
    # upstream's turn, as long as nothing of ours was visible.
    #
    #   def stat(path)
    #     Native.engine.stat(path)
    #   rescue OwnFailure
    #     frugal_stock_stat(path)
    #   end
    #
    # It is an error of a class that Ruby itself raises, in a line of frugal's. What
    # the program raises meanwhile passes: a signal's handler or a block has a line
    # of its own, and Timeout has classes of its own.
    module OwnFailure
      FOLDER = "#{::File.expand_path("..", __dir__)}/".freeze
      CLASSES = [
        ::NameError, ::NoMethodError, ::TypeError, ::ArgumentError, ::FrozenError, ::LocalJumpError,
        ::IndexError, ::KeyError, ::RangeError, ::FloatDomainError, ::ZeroDivisionError, ::StopIteration,
        ::IOError, ::EOFError, ::EncodingError, ::Encoding::CompatibilityError, ::Encoding::UndefinedConversionError,
        ::Encoding::InvalidByteSequenceError, ::Encoding::ConverterNotFoundError, ::RegexpError, ::ThreadError,
        ::FiberError, ::NoMatchingPatternError, ::SystemStackError, ::LoadError, ::SyntaxError, ::NotImplementedError,
        *(::Ractor::IsolationError if RUBY_ENGINE == "ruby")
      ].freeze # which any Ractor may read
      private_constant :FOLDER, :CLASSES

      class << self
        # @param error [Exception]
        # @return [Boolean]
        # *Cost*: no system call; an object for each frame, once in a failure.
        def ===(error)
          rubys?(error) && ours?(error)
        end

        # @param error [Exception]
        # @return [Boolean] whether Ruby itself, or frugal, raises errors of this class
        def rubys?(error) = CLASSES.include?(error.class) || ::SystemCallError === error || Error === error

        # @param error [Exception] one of any class
        # @return [Boolean] whether it was raised in a line of frugal's
        # *Cost*: as above.
        def ours?(error)
          place = error.backtrace_locations&.find { |line| !line.path.start_with?("<internal:") } # Ruby's own methods in Ruby
          place.nil? || place.path.start_with?(FOLDER)
        end
      end
    end
  end
end
