# frozen_string_literal: true

module Frugal
  module Profile
    module Findings
      # Files of loaders, which search for the file to load: the line that required the file is further out on the
      # stack.
      LOADER = %r{/rubygems/|/rubygems\.rb|/bundler/|/bootsnap/|/zeitwerk/|kernel_require\.rb|/bundled_gems\.rb}

      # A line of the program, and how many calls it made.
      class Place
        # @return [String]
        attr_reader :file
        # @return [Integer]
        attr_reader :line
        # @return [Hash{Symbol => Integer}] by the name of the function
        attr_reader :calls, :failures

        # @return [Boolean] whether it belongs to RubyGems, Bundler or the like: each program pays for their start
        attr_reader :loader
        alias loader? loader

        # @param file [String]
        # @param line [Integer]
        def initialize(file, line)
          @loader = LOADER.match?(file)
          @file = file
          @line = line
          @calls = Hash.new(0)
          @failures = Hash.new(0)
        end

        # @param call [Call]
        def count(call)
          name = call.name
          @calls[name] += 1
          @failures[name] += 1 if call.error
        end

        # @param names [Array<Symbol>]
        # @return [Float, nil] the share of these calls that failed; nil if there were none
        def fail_rate(names)
          total = @calls.values_at(*names).sum
          total.zero? ? nil : @failures.values_at(*names).sum.fdiv(total)
        end
      end

      # A method of the program, with all blocks in it.
      class Scope
        # @return [SerialWalk::Walk, nil] the walk of this method, set by {SerialWalk}
        attr_accessor :walk
      end

      # The facts about a stack that the finders need, computed once.
      class StackFacts
        REQUIRES = %w[require require_relative gem_original_require].freeze
        # Only methods written in C: a program may define its own `load`.
        LOADS = %w[load autoload].freeze
        private_constant :REQUIRES, :LOADS

        # @param frame [Frame]
        # @return [String] the name of the method, without the blocks in it and the class before it
        def self.method_name(frame) = frame.label.to_s[/[^ #]+\z/].to_s

        # @return [Place, nil] the line of the program that made the call; for a call by `require`, the line that
        #   requires
        attr_reader :place
        # @return [Scope, nil] the method of that line
        attr_reader :scope
        # @return [String, nil] the method, written in C, that the line called; nil if there is none or its name is
        #   unknown
        attr_reader :question
        # @return [Integer] frames
        attr_reader :depth
        # @return [String, nil] the method of the place
        attr_reader :method_name

        # @return [Boolean] whether `require` made the call, looking for the file or reading it
        def loading? = @loading

        # @return [Boolean] whether `require` is on the stack, also if no line of the program called it
        def requires? = @requires

        # @param stack [Stack]
        # @param stacks [Stacks]
        def initialize(stack, stacks)
          @requires = stack.frames.any? { |frame| require?(frame) }
          @depth = stack.frames.size
          @loading = requirer(stack.frames)
          at = @loading || stack.site or return

          @place = stacks.place(at)
          @method_name = StackFacts.method_name(at)
          @scope = stacks.scope(at.file, @method_name)
          @question = inner(stack.frames)
        end

        # @param other [StackFacts]
        # @return [Boolean] whether both places are in one method, or at most two lines apart
        def near?(other)
          scope.equal?(other.scope) ||
            (place.file == other.place.file && (place.line - other.place.line).abs <= 2)
        end

        private

        # @return [Frame, nil] the line of the program that called `require`; nil if the line made the call itself
        def requirer(frames)
          loading = false
          frames.each do |frame|
            loading ||= require?(frame)
            return loading ? frame : nil if frame.source? && !LOADER.match?(frame.file)
          end
          nil
        end

        def require?(frame)
          name = StackFacts.method_name(frame)
          return LOADS.include?(name) || REQUIRES.include?(name) if frame.file.nil?

          REQUIRES.include?(name) && LOADER.match?(frame.file)
        end

        # @return [String, nil] the method name of the innermost frame; nil if that frame is a line of Ruby
        def inner(frames)
          first = frames.first
          first.source? ? nil : StackFacts.method_name(first)
        end
      end

      # The facts of all stacks.
      class Stacks
        def initialize
          @facts = {}.compare_by_identity
          @places = {}
          @scopes = {}
        end

        # @param stack [Stack]
        # @return [StackFacts]
        def of(stack) = @facts[stack] ||= StackFacts.new(stack, self)

        # @param frame [Frame]
        # @return [Place]
        def place(frame) = @places[[frame.file, frame.line]] ||= Place.new(frame.file, frame.line)

        # @param file [String]
        # @param method_name [String]
        # @return [Scope]
        def scope(file, method_name) = @scopes[[file, method_name]] ||= Scope.new
      end
    end
  end
end
