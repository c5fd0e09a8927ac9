# frozen_string_literal: true

require_relative "../origins"

module Frugal
  module Profile
    module Findings
      # Files of loaders, which search for the file to load: the line that required the file is further out on the
      # stack.
      LOADER = %r{/rubygems/|/rubygems\.rb|/bundler/|/bootsnap/|/zeitwerk/|kernel_require\.rb|/bundled_gems\.rb}

      # The methods `require` in Ruby, which call each other.
      REQUIRE = %r{/bootsnap/|/zeitwerk/|kernel_require\.rb|/bundled_gems\.rb}

      # A line that makes calls, on behalf of one line of the program, and how many it made.
      class Place
        # @return [String]
        attr_reader :file
        # @return [Integer]
        attr_reader :line
        # @return [Array<Frame>] see {Finding}
        attr_reader :path
        # @return [Hash{Symbol => Integer}] by the name of the function
        attr_reader :calls, :failures

        # @return [Boolean] whether it belongs to RubyGems, Bundler or the like: each program pays for their start
        attr_reader :loader
        alias loader? loader

        # @param path [Array<Frame>]
        def initialize(path)
          @path = path
          @file = path.last.file
          @line = path.last.line
          @loader = LOADER.match?(@file)
          @calls = Hash.new(0)
          @failures = Hash.new(0)
        end

        # @param call [Call]
        def count(call)
          name = call.name
          @calls[name] += 1
          @failures[name] += 1 if call.error
        end

        # @return [Frame] the line whose author can act
        def actor = @path.first

        # @param names [Array<Symbol>]
        # @return [Float, nil] the share of these calls that failed; nil if there were none
        def fail_rate(names)
          total = @calls.values_at(*names).sum
          total.zero? ? nil : @failures.values_at(*names).sum.fdiv(total)
        end
      end

      # A method with all blocks in it, as one method of the program calls it.
      class Scope
        # @return [SerialWalk::Walk, nil] the walk of this method, set by {SerialWalk}
        attr_accessor :walk
      end

      # The facts about a frame: many stacks have it.
      class FrameFacts
        REQUIRES = %w[require require_relative gem_original_require].freeze
        # Only methods written in C: a program may define its own `load`.
        LOADS = %w[load autoload].freeze
        private_constant :REQUIRES, :LOADS

        # @return [String] the name of the method, without the blocks in it and the class before it
        attr_reader :method_name

        # @return [Boolean] whether it is a line of Ruby
        def source? = @source

        # @return [Boolean] whether it is a line of a loader, see {LOADER}
        def loader? = @loader

        # @return [Boolean] whether it is a line of a method `require`, see {REQUIRE}
        def require? = @require

        # @return [Boolean] whether it is a line of the program
        def own? = @own

        # @return [String, nil] the gem to which the line belongs, with its version
        attr_reader :gem

        # @return [Boolean] whether it loads a file
        def loads? = @loads

        # @param frame [Frame]
        # @param origins [Origins]
        def initialize(frame, origins)
          @method_name = frame.method_name.to_s[/[^#]*\z/]
          @source = frame.source?
          @loader = !frame.file.nil? && LOADER.match?(frame.file)
          @require = @loader && REQUIRE.match?(frame.file)
          @own = @source && origins.own?(frame.file)
          @gem = origins.gem(frame.file) if @source
          @loads = REQUIRES.include?(@method_name) && (frame.file.nil? || @loader) ||
                   (frame.file.nil? && LOADS.include?(@method_name))
        end
      end

      # The facts about a stack that the finders need, computed once.
      class StackFacts
        # @return [Place, nil] the line of the program that made the call; for a call by `require`, the line that
        #   requires
        attr_reader :place
        # @return [Frame, nil] the innermost line of the program, see {Finding}
        attr_reader :caller
        # @return [Scope, nil] the method of that line
        attr_reader :scope
        # @return [String, nil] the method, written in C, that the line called; nil if there is none or its name is
        #   unknown
        attr_reader :question
        # @return [String, nil] the method of the place
        attr_reader :method_name

        # @return [Boolean] whether `require` made the call, looking for the file or reading it
        def loading? = @loading

        # @return [Boolean] whether `require` is on the stack, also if no line of the program called it
        def requires? = @frames.any? { |frame| @stacks.frame(frame).loads? }

        # @param stack [Stack]
        # @param stacks [Stacks]
        def initialize(stack, stacks)
          @frames = stack.frames
          @stacks = stacks
          @loading = requirer
          from = @loading || @frames.find(&:source?) or return

          @place = stacks.place(path(from))
          @method_name = stacks.frame(from).method_name
          @scope = stacks.scope(@place, @method_name)
          first = stacks.frame(@frames.first)
          @question = (first.method_name unless first.source?)
        end

        # @return [Integer] frames
        def depth = @frames.size

        # @param other [StackFacts]
        # @return [Boolean] whether both calls are made in one method, or at most two lines apart
        def near?(other)
          place.file == other.place.file &&
            (method_name == other.method_name || (place.line - other.place.line).abs <= 2)
        end

        private

        # @return [Frame, nil] the line of the program that called `require`; nil if the line made the call itself
        def requirer
          loading = false
          @frames.each do |frame|
            facts = @stacks.frame(frame)
            loading ||= facts.loads?
            next if !facts.source? || (loading ? facts.require? : facts.loader?)

            return (frame if loading)
          end
          nil
        end

        # A file is loaded for all who need it: what it asks meanwhile belongs to it, and not to the line that happens
        # to require it first. Through more than one gem, a line of the program is an entrance and not the cause.
        #
        # @return [Array<Frame>] see {Finding}
        def path(from)
          frames = inside(from)
          gems = frames.filter_map { |frame| @stacks.gem(frame) }
          @caller = frames.last if @stacks.frame(frames.last).own?
          return frames.reverse if @caller && gems.uniq.size < 2

          gem = frames.index { |frame| @stacks.gem(frame) }
          gem ? frames.first(gem + 1).reverse : [from]
        end

        # @return [Array<Frame>] the lines from the given one out to that of the program, or to one that loads a file
        def inside(from)
          frames = []
          @frames.each do |frame|
            next unless frames.any? || frame.equal?(from)

            facts = @stacks.frame(frame)
            break if facts.loads? || (facts.source? && facts.loader?)

            frames << frame if facts.source?
            break if facts.own?
          end
          frames.empty? ? [from] : frames
        end
      end

      # The facts of all stacks.
      class Stacks
        # @return [Origins]
        attr_reader :origins

        # @param origins [Origins]
        def initialize(origins = Origins.new)
          @origins = origins
          @facts = {}.compare_by_identity
          @frames = {}.compare_by_identity
          @places = {}
          @scopes = {}
        end

        # @param stack [Stack]
        # @return [StackFacts]
        def of(stack) = @facts[stack] ||= StackFacts.new(stack, self)

        # @param frame [Frame]
        # @return [FrameFacts]
        def frame(frame) = @frames[frame] ||= FrameFacts.new(frame, @origins)

        # @param frame [Frame]
        # @return [String, nil] see {FrameFacts#gem}
        def gem(frame) = self.frame(frame).gem

        # @param path [Array<Frame>] see {Place#path}
        # @return [Place]
        def place(path)
          @places[path.values_at(0, -1).flat_map { |frame| [frame.file, frame.line] }] ||= Place.new(path)
        end

        # @param place [Place]
        # @param method_name [String] of the place
        # @return [Scope]
        def scope(place, method_name)
          @scopes[[place.actor.file, frame(place.actor).method_name, place.file, method_name]] ||= Scope.new
        end
      end
    end
  end
end
