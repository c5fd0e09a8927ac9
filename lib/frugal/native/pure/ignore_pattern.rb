# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/core/ignore/ignore_program.c: converts a wildcard pattern of
      # git to a Regexp over bytes.
      #
      #   Frugal::Native::Pure::IgnorePattern.new("doc/*.html", true).regexp.match?("doc/a.html")  # => true
      #
      # A star matches as little as possible. The first match of the rest after the star is
      # final (the C file explains why the result is the same). This is done by atomic groups,
      # so no pattern takes exponential time.
      class IgnorePattern
        # The character classes of git: ASCII only, and "space" includes neither VT nor FF.
        CLASSES = {
          "alnum" => [48..57, 65..90, 97..122], "alpha" => [65..90, 97..122], "blank" => [9..9, 32..32],
          "cntrl" => [1..31, 127..127], "digit" => [48..57], "graph" => [33..126], "lower" => [97..122],
          "print" => [32..126], "punct" => [33..47, 58..64, 91..96, 123..126], "space" => [9..10, 13..13, 32..32],
          "upper" => [65..90], "xdigit" => [48..57, 65..70, 97..102]
        }.freeze
        SLASH = "/".ord

        # @param pattern [String] bytes, without a NUL
        # @param whole_path [Boolean] whether it matches paths, where "**" can match folders;
        #   otherwise it matches names, which contain no slash
        def initialize(pattern, whole_path)
          @pattern = pattern.b
          @whole_path = whole_path
        end

        # @return [Regexp, nil] nil for a pattern with which git never matches anything
        def regexp
          @at = 0
          @wild = false # whether there was a special character before
          @star = @deep = "" # the text that closes the group of the last star, or of the last "**"
          source = catch(:no_match) { translate }
          source && Regexp.new(source, Regexp::MULTILINE | Regexp::NOENCODING)
        end

        private

        def translate
          source = +"\\A"
          source << step until @at >= @pattern.size
          source << "\\z" << @star << @deep
        end

        def step
          case byte = take
          when "*" then special { stars }
          when "?" then special { "[^/]" }
          when "[" then special { set }
          when "\\" then special { quote(take.ord) }
          else quote(byte.ord)
          end
        end

        def special
          yield.tap { @wild = true }
        end

        def take
          byte = @pattern[@at] or throw :no_match
          @at += 1
          byte
        end

        def quote(byte) = format("\\x%02x", byte)

        # Several stars differ from one star only if they stand alone between two slashes. But if
        # they are the first special character, git before 2.53 does not require the slash before
        # them: "a**/b" also matches "ab" and "ax/y/b".
        def stars
          opens = !@wild || @pattern[@at - 2] == "/"
          run = 1 + @pattern[@at..].index(/[^*]|\z/n)
          @at += run - 1
          return star unless @whole_path && run > 1 && opens

          case @pattern[@at..]
          when "", %r{\A\\/}n then deep(".*?") # the escaped slash remains required
          when %r{\A/}n
            @at += 1
            deep("(?:[^/]*/)*?")
          else star
          end
        end

        def star
          @star.tap { @star = ")" } + "(?>[^/]*?"
        end

        def deep(anything)
          closed = @star + @deep
          @star = ""
          @deep = ")"
          "#{closed}(?>#{anything}"
        end

        def set
          negated = "!^".include?(@pattern[@at] || throw(:no_match))
          @at += 1 if negated
          found = members
          bytes = (0..255).select { |byte| byte != SLASH && found.include?(byte) != negated }
          throw :no_match if bytes.empty?
          "[#{bytes.slice_when { |one, two| two != one + 1 }.map { |run| "#{quote(run[0])}-#{quote(run[-1])}" }.join}]"
        end

        # @return [Hash{Integer => true}] the bytes between the brackets
        def members
          found = {}
          before = nil # the byte with which a range may begin
          loop do # a closing bracket in the first place is a member
            before = member(found, before)
            break if @pattern[@at] == "]"
          end
          @at += 1
          found
        end

        def member(found, before)
          byte = take
          if byte == "-" && before && !["]", nil].include?(@pattern[@at])
            add(found, before..literal(take))
          elsif byte == "[" && @pattern[@at] == ":" && (name = class_name)
            CLASSES.fetch(name) { throw :no_match }.each { |range| add(found, range) }
            nil
          else
            literal(byte).tap { |one| add(found, one..one) }
          end
        end

        def literal(byte) = (byte == "\\" ? take : byte).ord

        # @return [String, nil] nil if the next "]" does not close a class; then "[" is a literal
        def class_name
          close = @pattern.index("]", @at + 1) or throw :no_match
          return unless close > @at + 1 && @pattern[close - 1] == ":"

          @pattern[@at + 1...close - 1].tap { @at = close + 1 }
        end

        def add(found, range)
          range.each { |byte| found[byte] = true }
          nil
        end
      end
    end
  end
end
