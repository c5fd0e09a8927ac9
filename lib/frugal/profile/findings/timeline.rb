# frozen_string_literal: true

require_relative "actors"
require_relative "changes"
require_relative "descriptors"
require_relative "stacks"

module Frugal
  module Profile
    module Findings
      # Goes through a recording once, in the order of time, and calls these methods of the finders that have them:
      #
      # - `call(call, node, actor, facts)` for the functions in its `NAMES`
      # - `loaded(call, node, actor, facts)` for the functions in its `LOADER_NAMES` that `require` calls
      # - `closed(open_file)` when a descriptor is closed
      # - `raised(exception, failure, facts)` for each exception that a failed call caused
      #
      # A finder gets a call before the change that the call makes is applied. Of calls outside of Ruby, only the
      # changes are applied.
      #
      # *Cost*: some microseconds a call, and memory for each distinct path.
      class Timeline
        NONE = [].freeze
        OPENS = Descriptors::OPENS.to_h { |name| [name, true] }.freeze
        USES = (Descriptors::NAMES - Descriptors::OPENS).to_h { |name| [name, true] }.freeze
        private_constant :NONE, :OPENS, :USES

        # @return [Paths]
        attr_reader :paths
        # @return [Stacks]
        attr_reader :stacks
        # @return [Changes]
        attr_reader :changes

        # @param recording [Recording]
        # @param origins [Origins]
        def initialize(recording, origins)
          @recording = recording
          @paths = Paths.new
          @stacks = Stacks.new(origins)
          @actors = Actors.new
          @changes = Changes.new(@paths, recording.processes)
        end

        # @param finders [Array<Finder>]
        def run(finders)
          listen(finders)
          @recording.events.each do |call|
            raise_next while @next_raise && @next_raise.time <= call.time
            step(call)
          end
          raise_next while @next_raise
          @descriptors.finish_all
        end

        private

        def listen(finders)
          @listeners = by_name(finders) { |finder| finder.class::NAMES }
          @loaders = by_name(finders) { |finder| finder.class::LOADER_NAMES }
          @raise_listeners = finders.select { |finder| finder.respond_to?(:raised) }
          @descriptors = Descriptors.new(finders.select { |finder| finder.respond_to?(:closed) })
          @raise_index = 0
          @next_raise = @recording.raises.first
        end

        # @return [Hash{Symbol => Array<Finder>}]
        def by_name(finders)
          finders.each_with_object(Hash.new(NONE)) do |finder, all|
            yield(finder).each { |name| all[name] += [finder] }
          end
        end

        def step(call)
          name = call.name
          actor = @actors.of(call)
          return actor.wait(call) if name == :wait

          facts = @stacks.of(call.stack)
          path = call.path
          node = path && @paths.at(path)
          @descriptors.open(call, node, actor, facts) if OPENS.key?(name)
          tell(call, node, actor, facts) if facts.place
          change(call, node, actor) if Changes::NAMES.key?(name)
          @descriptors.use(call, actor) if USES.key?(name)
          actor.finish(call)
        end

        def tell(call, node, actor, facts)
          facts.place.count(call)
          if facts.loading?
            @loaders[call.name].each { |finder| finder.loaded(call, node, actor, facts) }
          else
            @listeners[call.name].each { |finder| finder.call(call, node, actor, facts) }
          end
        end

        def change(call, node, actor)
          @changes.apply(call, node, actor)
          @descriptors.opened if OPENS.key?(call.name)
        end

        def raise_next
          exception = @next_raise
          @next_raise = @recording.raises[@raise_index += 1]
          actor = @actors.of(exception)
          failure = actor.failure
          return unless failure && failure.error == exception.error

          actor.failure = nil
          facts = @stacks.of(exception.stack)
          @raise_listeners.each { |finder| finder.raised(exception, failure, facts) } if facts.place && !facts.loading?
        end
      end
    end
  end
end
