# frozen_string_literal: true

module Frugal
  module Dropin
    module Sinatra
      # One verb's routes by the literal that their paths begin with: which of
      # them can match a path at all.
      #
      #   Routes.of(App.routes["GET"]).candidates("/users/7")  # => [0, 3, 12]
      #
      # What a route matches is its regular expression, so that is what is read:
      # a route is known by its first segment where the expression begins with
      # plain characters and a slash, or the end. Any other route (a regular
      # expression, a splat, a capture in front, another kind of Mustermann) is a
      # candidate for every path.
      class Routes
        # What Mustermann makes of a plain character, bare or with its %-encodings.
        CHARACTER = /(?:\(\?:(?:[\w~]|\\[.-])(?:\|%\h\h){1,2}\)|[\w~]|\\[.-])/.freeze
        # A slash, the end, or a slash that may be left out before the end.
        BORDER = %r{\\?/(?![?*+\{])|\)\\Z\z|\(\?:\\?/\)\?\)\\Z\z}.freeze
        FIRST_SEGMENT = %r{\A\\A\(\?-mix:\\?/(?<segment>#{CHARACTER}*)(?=#{BORDER})}.freeze
        # Of these, each route is asked, as that is as quick.
        FEW = 4
        private_constant :CHARACTER, :BORDER, :FIRST_SEGMENT, :FEW

        class << self
          # @param routes [Array<Array>] of one verb, as the application keeps them
          # @return [Routes, nil] made anew where they have changed since; nil where it does not pay
          # Cost: one Array as long as the routes.
          def of(routes)
            return if routes.size < FEW || routes.frozen?

            known = routes.instance_variable_get(:@frugal_routes)
            return known if known&.of?(routes)

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

        # Whether these are the routes that it was made of. Whoever has changed
        # one in its place is noticed too.
        def of?(routes) = @patterns == routes.map { |pattern,| pattern }

        # @param path [String]
        # @return [Array<Integer>, nil] places of the routes that may match, in
        #   order; nil where that cannot be told
        # Cost: one String.
        def candidates(path)
          return unless path.ascii_only? && path.getbyte(0) == SLASH

          segment = path[1...(path.index("/", 1) || path.bytesize)]
          # %66 is an f to a route; and \Z is before a last line feed too.
          @by_segment.fetch(segment) { @others unless segment.match?(/[%\n]/) }
        end

        SLASH = "/".ord
        private_constant :SLASH

        private

        def segment(pattern)
          return unless pattern.instance_of?(::Mustermann::Sinatra)
          return unless pattern.method(:params).owner.equal?(::Mustermann::Pattern) && pattern.method(:match).owner.equal?(::Mustermann::RegexpBased)

          found = FIRST_SEGMENT.match(pattern.regexp.source)
          found && found[:segment].gsub(/\(\?:\\?(.)[^)]*\)|\\(.)/) { $1 || $2 }
        end
      end
    end
  end
end
