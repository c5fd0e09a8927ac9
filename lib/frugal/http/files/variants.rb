# frozen_string_literal: true

require_relative "representation"

module Frugal
  class Files
    # The variants that lie beside a file: app.js.br, app.js.gz. One that is older than its
    # file is not what the file is now, and does not count.
    module Variants
      SUFFIXES = { "br" => ".br", "gzip" => ".gz" }.freeze
      NAMES = { "gzip" => %w[gzip x-gzip], "br" => %w[br] }.transform_values(&:freeze).freeze
      # In a header without weights, as most are.
      NAMED = NAMES.transform_values { |names| /(?:\A|,)[ \t]*(?:#{names.join("|")})[ \t]*(?:,|\z)/i }.freeze
      WEIGHTED = /[;*]/
      COMPRESSED = /\.(?:br|gz)\z/
      private_constant :SUFFIXES, :NAMES, :NAMED, :WEIGHTED, :COMPRESSED

      class << self
        # What of a file the client gets. A range is one of the file itself, unless If-Range
        # names a variant; one that If-Range forbids is no range.
        #
        # @param beneath [Native::C::Beneath, nil, false] where variants may lie
        # @param plain [Representation] closed, where it is not the one
        # @param env [Hash] Rack's
        # @return [Array(Representation, (String, nil))] and the range that is to be sent
        def choose(beneath, plain, env)
          range = env["HTTP_RANGE"]&.b # anything can be asked for, text or not
          validator = range && env["HTTP_IF_RANGE"]
          unless validator.nil? || plain.same_for_ranges?(validator)
            variant = beneath && pick(beneath, plain, accepted(env["HTTP_ACCEPT_ENCODING"]), validator)
            return [instead_of(plain, variant), range] if variant

            range = nil
          end
          variant = beneath && pick(beneath, plain, range ? [] : accepted(env["HTTP_ACCEPT_ENCODING"]))
          [variant ? instead_of(plain, variant) : plain, range]
        end

        # The variant that the client is to get, open. Where there is one, but none for this client,
        # `plain` learns that it varies.
        #
        # *Cost*: one system call for each variant that is not there.
        #
        # @param beneath [Native::C::Beneath]
        # @param plain [Representation]
        # @param codings [Array<String>] what the client accepts, the best first
        # @param validator [String, nil] of If-Range, which it has to fit
        # @return [Representation, nil]
        def pick(beneath, plain, codings, validator = nil)
          path = plain.file.path
          return if path.match?(COMPRESSED)

          (codings | SUFFIXES.keys).each do |coding|
            file = beneath.open("#{path}#{SUFFIXES[coding]}") or next
            variant = Representation.new(file, coding, of: plain)
            if variant.older_than?(plain)
              file.close
              next
            end
            plain.varies = true
            return variant if codings.include?(coding) && (validator.nil? || variant.same_for_ranges?(validator))

            file.close
          end
          nil
        end

        # @param header [String, nil] Accept-Encoding
        # @return [Array<String>] of ours, the best first
        def accepted(header)
          return [] unless header

          header = header.b
          return SUFFIXES.keys.select { |coding| NAMED[coding].match?(header) } unless header.match?(WEIGHTED)

          offered = ::Rack::Utils.q_values(header.downcase)
          weights = SUFFIXES.keys.to_h { |coding| [coding, weight(offered, coding)] }
          weights.reject { |_, weight| weight.zero? }.sort_by.with_index { |(_, weight), at| [-weight, at] }.map(&:first)
        end

        private

        def instead_of(plain, variant)
          plain.file.close
          variant
        end

        # What is named counts; "*" for what is not.
        def weight(offered, coding)
          (offered.find { |name, _| NAMES[coding].include?(name) } || offered.assoc("*"))&.last || 0.0
        end
      end
    end
  end
end
