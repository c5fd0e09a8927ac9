# frozen_string_literal: true

module Frugal
  module Dropin
    module Sinatra
      # An index of one verb's routes by their first segment. It lists the routes that can match a path.
      #
      #   Routes.of(App.routes["GET"]).candidates("/users/7")  # => [0, 3, 12]
      #
      # The first segment is read from the route's regular expression, because that decides what the route
      # matches. The expression must begin with literal characters, followed by a slash or the end.
      # Any other route (a regular expression, a leading splat or capture, another kind of Mustermann
      # pattern) is a candidate for every path.
      class Routes
        # The expression that Mustermann makes of a literal character, alone or with its %-encodings.
        CHARACTER = /(?:\(\?:(?:[\w~]|\\[.-])(?:\|%\h\h){1,2}\)|[\w~]|\\[.-])/
        # A slash, the end, or an optional slash before the end.
        BORDER = %r{\\?/(?![?*+\{])|\)\\Z\z|\(\?:\\?/\)\?\)\\Z\z}
        FIRST_SEGMENT = %r{\A\\A\(\?-mix:\\?/(?<segment>#{CHARACTER}*)(?=#{BORDER})}
        # With fewer routes, trying each of them is as fast.
        FEWEST = 4
        private_constant :CHARACTER, :BORDER, :FIRST_SEGMENT, :FEWEST

        class << self
          # @param routes [Array<Array>] of one verb, as the application keeps them
          # @return [Routes, nil] made again if they have changed; nil if an index would not be faster
          # *Cost*: one Array as long as the routes.
          def of(routes)
            return if routes.size < FEWEST || routes.frozen?

            index = routes.instance_variable_get(:@frugal_routes)
            return index if index&.of?(routes)

            routes.instance_variable_set(:@frugal_routes, new(routes))
          end
        end

        def initialize(routes)
          @patterns = routes.map { |pattern,| pattern }
          segments = @patterns.map { |pattern| segment(pattern) }
          @others = segments.each_index.reject { |index| segments[index] }.freeze
          @by_segment = segments.compact.uniq.to_h do |segment|
            [segment, segments.each_index.select { |index| segments[index].nil? || segments[index] == segment }.freeze]
          end
        end

        # Reports whether this index was made of these routes. A route that has been replaced in place
        # is noticed, too.
        def of?(routes) = @patterns == routes.map { |pattern,| pattern }

        # @param path [String]
        # @return [Array<Integer>, nil] the indexes of the routes that may match, in
        #   order; nil if every route may match
        # *Cost*: one String.
        def candidates(path)
          return unless path.ascii_only? && path.getbyte(0) == SLASH

          segment = path[1...(path.index("/", 1) || path.bytesize)]
          # To a route %66 is an f, and \Z also matches before a last line feed.
          @by_segment.fetch(segment) { @others unless segment.match?(/[%\n]/) }
        end

        SLASH = "/".ord
        private_constant :SLASH

        private

        def segment(pattern)
          return unless pattern.instance_of?(::Mustermann::Sinatra)
          return unless pattern.method(:params).owner.equal?(::Mustermann::Pattern)
          return unless pattern.method(:match).owner.equal?(::Mustermann::RegexpBased)

          found = FIRST_SEGMENT.match(pattern.regexp.source)
          found && found[:segment].gsub(/\(\?:\\?(.)[^)]*\)|\\(.)/) { $1 || $2 }
        end
      end
    end
  end
end
