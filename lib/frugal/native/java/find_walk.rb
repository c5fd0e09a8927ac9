# frozen_string_literal: true

JRuby::Util.load_ext("frugal.walk.FindLibrary")

module Frugal
  module Native
    module Java
      # The walk of one Find.find: see ext/java/frugal/walk/FindWalk.java.
      class FindWalk
        # @param ignore_error [Boolean]
        # @param _watch_after [Integer, nil] the C engine watches directories; this one does not
        def initialize(ignore_error, _watch_after)
          @ignore_error = ignore_error
          prepare(ignore_error)
        end

        # Yields a root and all paths below it, as stock does.
        #
        # *Cost*: for a directory `open`, `getdents` until it is empty, `close`; for anything else, and the root, one
        # `statx`.
        #
        # @param root [Object] a String, or the object that the program has given instead
        # @param encoding [Encoding] the encoding of names in a directory
        # @param fallback [#below] finds the paths below a directory by stock's own methods
        # @return [void]
        def visit(root, encoding, fallback, &block)
          pruned = true
          catch(:prune) do
            yield root.dup
            pruned = false
          end
          return if pruned
          return fallback.below(root, encoding, @ignore_error, &block) unless enter_root(root, encoding)

          @rest = true
          catch(:prune) { visit_rest(encoding, fallback, &block) } while @rest
        end

        # Does nothing, because no directory stays open between two paths.
        def close; end

        private

        # Ends early where the block prunes a path.
        def visit_rest(encoding, fallback, &block)
          path = next_path
          while path
            yield path
            path = following
            next unless false.equal?(path)

            fallback.below(latest, encoding, @ignore_error, &block)
            path = next_path
          end
          @rest = false
        end
      end
    end
  end
end
