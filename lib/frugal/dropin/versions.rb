# frozen_string_literal: true

module Frugal
  module Dropin
    # Compares versions without RubyGems.
    module Versions
      class << self
        # @param version [String] such as "13.0.6"
        # @param minors [Range<String>] minor versions, such as "13.0".."13.4"; every patch version of the last one is
        #   in the range, too
        def include?(version, minors)
          first, last, minor = [minors.begin, minors.end, version].map { |one| one.split(".").first(2).map(&:to_i) }
          (minor <=> first) >= 0 && (minor <=> last) <= 0
        end

        # @param upstream [String] its name in the message
        # @param version [String]
        # @param known [Array<Range<String>>] minor versions
        # @param except [String, nil] a version in these ranges that is not supported
        # @return [String, nil] why a drop-in stands aside; nil for a known version
        def unknown(upstream, version, known, except: nil)
          return if version != except && known.any? { |minors| include?(version, minors) }

          ranges = known.map { |minors| [minors.begin, minors.end].uniq.join(" to ") }
          ranges << "except #{except}" if except
          "#{upstream} #{version} is not a known version (known: #{ranges.join(", ")})"
        end
      end
    end
  end
end
