# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # The first words of an application's routes, such as "users" of
      # <tt>/users/:id(.:format)</tt>; what begins with none of them, no route answers.
      class RouteWords
        # A word ends as a mount's path does: where a word character is followed by another.
        WORD = %r{\A/(\w+)(?=\z|[/.%~-]|\([/.])}
        # What only the path "/" matches, which is asked for by no word.
        ROOT = %r{\A/(?:\z|\(\.)}
        private_constant :WORD, :ROOT

        # @param application [Rails::Application]
        # @param prefixes [Array<String>] to be taken for routes
        def initialize(application, prefixes)
          @routes = application.routes
          @prefixes = prefixes.map { |prefix| prefix.to_s.delete_suffix("/") }
          @size = nil
        end

        # Routes may be drawn again at any time.
        #
        # @param word [String] the first of a path
        # @return [Boolean] whether a route may answer it
        # Cost: no system call.
        def include?(word)
          routes = @routes.routes.routes
          last = routes.last
          @words, @size, @last = index(routes), routes.size, last unless routes.size == @size && last.equal?(@last)
          @words.nil? || @words.key?(word)
        end

        private

        # @return [Hash, nil] nil: any path may be a route's
        def index(routes)
          return if routes.empty? # not drawn yet

          # A mount on "/" answers all that begins with it.
          paths = routes.reject { |route| route.path.anchored && ROOT.match?(route.path.spec.to_s) }.map { |route| route.path.spec.to_s }
          (paths + @prefixes).to_h { |path| [path[WORD, 1] || (return nil), true] }
        end
      end
    end
  end
end
