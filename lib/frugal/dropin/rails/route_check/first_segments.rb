# frozen_string_literal: true

module Frugal
  module Dropin
    module Rails
      # The words with which an application's routes begin, such as "users" for
      # <tt>/users/:id(.:format)</tt>. No route answers a path that begins with another word.
      class FirstSegments
        # A word ends where a mount's path may end: where no other word character follows.
        WORD = %r{\A/(\w+)(?=\z|[/.%~-]|\([/.])}
        # A route for the path "/" only.
        ROOT = %r{\A/(?:\z|\(\.)}
        private_constant :WORD, :ROOT

        # @param application [Rails::Application]
        # @param prefixes [Array<String>] paths that count as routes
        def initialize(application, prefixes)
          @routes = application.routes
          @prefixes = prefixes.map { |prefix| prefix.to_s.delete_suffix("/") }
          @size = nil
        end

        # Makes the index again if the routes have been drawn again.
        #
        # @param word [String] the first word of a path
        # @return [Boolean] whether a route may answer the path
        # *Cost*: no system call.
        def include?(word)
          routes = @routes.routes.routes
          last = routes.last
          @words, @size, @last = index(routes), routes.size, last unless routes.size == @size && last.equal?(@last)
          @words.nil? || @words.key?(word)
        end

        private

        # @return [Hash, nil] nil if a route may answer any path
        def index(routes)
          return if routes.empty? # not drawn yet

          # A mount on "/" is not anchored: it answers all paths.
          paths = routes.reject { |route| route.path.anchored && ROOT.match?(route.path.spec.to_s) }
                        .map { |route| route.path.spec.to_s }
          (paths + @prefixes).to_h { |path| [path[WORD, 1] || (return nil), true] }
        end
      end
    end
  end
end
