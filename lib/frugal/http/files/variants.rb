# frozen_string_literal: true

require_relative "representation"

module Frugal
  class Files
    # Chooses between a file and its precompressed variants in the same folder, such as app.js.br and
    # app.js.gz. A variant that is older than its file is outdated and is ignored.
    module Variants
      SUFFIXES = { "br" => ".br", "gzip" => ".gz" }.freeze
      NAMES = { "gzip" => %w[gzip x-gzip], "br" => %w[br] }.transform_values(&:freeze).freeze
      # Matches headers without weights, which are the most common ones.
      NAMED = NAMES.transform_values { |names| /(?:\A|,)[ \t]*(?:#{names.join("|")})[ \t]*(?:,|\z)/i }.freeze
      WEIGHTED = /[;*]/
      COMPRESSED = /\.(?:br|gz)\z/
      private_constant :SUFFIXES, :NAMES, :NAMED, :WEIGHTED, :COMPRESSED

      class << self
        # Chooses the representation to send. A range refers to the original file, unless If-Range has the tag of a
        # variant. If If-Range matches neither, the range is ignored.
        #
        # @param beneath [Native::C::Beneath, nil, false] opens the variants; nil or false for none
        # @param original [Representation] closed if a variant is chosen
        # @param env [Hash] a Rack environment
        # @return [Array(Representation, (String, nil))] the representation to send, and its range
        def choose(beneath, original, env)
          range = env["HTTP_RANGE"]&.b # it may have invalid bytes
          validator = range && env["HTTP_IF_RANGE"]
          unless validator.nil? || original.if_range?(validator)
            variant = beneath && pick(beneath, original, accepted(env["HTTP_ACCEPT_ENCODING"]), validator)
            return [replace(original, variant), range] if variant

            range = nil
          end
          variant = beneath && pick(beneath, original, range ? [] : accepted(env["HTTP_ACCEPT_ENCODING"]))
          [variant ? replace(original, variant) : original, range]
        end

        # Opens the best variant that the client accepts. Sets `original.varies` if there is any variant.
        #
        # *Cost*: one system call for each missing variant.
        #
        # @param beneath [Native::C::Beneath]
        # @param original [Representation]
        # @param codings [Array<String>] the codings that the client accepts, the best first
        # @param validator [String, nil] an If-Range header that the variant must match
        # @return [Representation, nil]
        def pick(beneath, original, codings, validator = nil)
          path = original.file.path
          return if path.match?(COMPRESSED)

          (codings | SUFFIXES.keys).each do |coding|
            file = beneath.open("#{path}#{SUFFIXES[coding]}") or next
            variant = Representation.new(file, coding, original: original)
            if variant.older_than?(original)
              file.close
              next
            end
            original.varies = true
            return variant if codings.include?(coding) && (validator.nil? || variant.if_range?(validator))

            file.close
          end
          nil
        end

        # @param header [String, nil] Accept-Encoding
        # @return [Array<String>] the codings of variants that the client accepts, the best first
        def accepted(header)
          return [] unless header

          header = header.b
          return SUFFIXES.keys.select { |coding| NAMED[coding].match?(header) } unless header.match?(WEIGHTED)

          offered = ::Rack::Utils.q_values(header.downcase)
          weights = SUFFIXES.keys.to_h { |coding| [coding, weight(offered, coding)] }
          weights = weights.reject { |_, weight| weight.zero? }
          weights.sort_by.with_index { |(_, weight), index| [-weight, index] }.map(&:first)
        end

        private

        def replace(original, variant)
          original.file.close
          variant
        end

        # A name takes precedence over "*".
        def weight(offered, coding)
          (offered.find { |name, _| NAMES[coding].include?(name) } || offered.assoc("*"))&.last || 0.0
        end
      end
    end
  end
end
