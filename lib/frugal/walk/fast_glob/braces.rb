# frozen_string_literal: true

module Frugal
  module Walk
    module FastGlob
      # Splits a pattern with braces into alternatives, as Ruby does where it lists them one after the other.
      #
      #   Braces.alternatives("{lib,app}/**/*.{rb,erb}")
      #   # => ["lib/**/*.rb", "lib/**/*.erb", "app/**/*.rb", "app/**/*.erb"]
      #   Braces.alternatives("lib/**/*.{rb,erb}")
      #   # => ["lib/**/*.{rb,erb}"]: Ruby lists each folder once for both
      #   Braces.split(".{html.{erb,slim},rb}")   # => [".html.erb", ".html.slim", ".rb"]
      module Braces
        # Braces without escapes, and only literal folder names before the first of them.
        SIMPLE = %r{\A(?:[^*?\[\]{}\\]*/)?[^{}/\\]*(?:(?<group>\{(?:[^{}\\]|\g<group>)*\})[^{}\\]*)+\z}
        # An empty name, which Ruby's versions treat differently.
        EMPTY = %r{//|/\z|\A\z}
        # The outermost braces; and inside them, a comma with the choice behind it. Both may contain further braces.
        GROUP = /\{((?:[^{}]|\{\g<1>\})*)\}/
        CHOICE = /,((?:[^{},]|(\{(?:[^{}]|\g<2>)*\}))*)/
        # The limit of alternatives; Ruby has to answer a pattern with more.
        MAXIMUM = 64

        class << self
          # @param pattern [String] ASCII only
          # @return [Array<String>] the pattern itself if Ruby does not split it, or has to answer it
          # *Cost*: one String per alternative; no system call.
          def alternatives(pattern)
            return [pattern] unless pattern.include?("{") && SIMPLE.match?(pattern)

            split = expand(pattern)
            split&.none? { |one| EMPTY.match?(one) } ? split : [pattern]
          end

          # @param pattern [String] ASCII only, without escapes
          # @return [Array<String>, nil] nil if it has more than {MAXIMUM} alternatives, or pairs of braces
          def expand(pattern)
            split(pattern) unless pattern.count("{") > MAXIMUM || count(pattern) > MAXIMUM
          end

          # @param pattern [String] without escapes; its braces may be nested
          # @return [Array<String>] all alternatives, however many there are; an unpaired brace is kept
          def split(pattern)
            group = GROUP.match(pattern) or return [pattern]
            choices(group[1]).flat_map do |choice|
              split([group.pre_match, choice, group.post_match].join.force_encoding(pattern.encoding))
            end
          end

          # @param pattern [String] without escapes
          # @return [Integer] how many alternatives it has
          def count(pattern)
            pattern.scan(GROUP).inject(1) do |product, (inside, *)|
              product * choices(inside).sum { |choice| choice.include?("{") ? count(choice) : 1 }
            end
          end

          # @param text [String] the text between two braces
          # @return [Array<String>] its parts, which may contain further braces
          def choices(text)
            return ",#{text}".scan(CHOICE).map(&:first) if text.include?("{")

            text.empty? ? [""] : text.split(",", -1)
          end
        end
      end
    end
  end
end
