# frozen_string_literal: true

module Frugal
  module Walk
    module FastGlob
      # A pattern's alternatives, where Ruby asks for one after the other.
      #
      #   Braces.alternatives("{lib,app}/**/*.{rb,erb}")
      #   # => ["lib/**/*.rb", "lib/**/*.erb", "app/**/*.rb", "app/**/*.erb"]
      #   Braces.alternatives("lib/**/*.{rb,erb}")
      #   # => ["lib/**/*.{rb,erb}"]: in each folder Ruby takes names that are one or the other
      module Braces
        # Not one in another, none left open, nothing escaped; in front of them whole names.
        SIMPLE = %r{\A(?:[^*?\[\]{}\\]*/)?[^{}/\\]*(?:\{[^{}\\]*\}[^{}\\]*)+\z}.freeze
        # A name that is empty: Ruby's versions differ in what that is.
        EMPTY = %r{//|/\z|\A\z}.freeze
        GROUP = /\{([^}]*)\}/.freeze
        # More of them are Ruby's to ask for, too.
        MOST = 64

        class << self
          # @param pattern [String] of ASCII letters
          # @return [Array<String>] the pattern itself where Ruby does not split it, or has to read it
          # *Cost*: a String each; no system call.
          def alternatives(pattern)
            return [pattern] unless pattern.include?("{") && SIMPLE.match?(pattern)

            split = expand(pattern)
            split.none? { |one| EMPTY.match?(one) } ? split : [pattern]
          end

          # @param pattern [String] of ASCII letters, its braces as above
          # @return [Array<String>] the pattern itself where there are too many
          def expand(pattern)
            groups = pattern.scan(GROUP)
            groups.sum { |choices,| Math.log2(choices.count(",") + 1) } > Math.log2(MOST) ? [pattern] : split(pattern)
          end

          private

          def split(pattern)
            group = GROUP.match(pattern) or return [pattern]
            choices = group[1].empty? ? [""] : group[1].split(",", -1)
            choices.flat_map { |choice| split([group.pre_match, choice, group.post_match].join.force_encoding(pattern.encoding)) }
          end
        end
      end
    end
  end
end
