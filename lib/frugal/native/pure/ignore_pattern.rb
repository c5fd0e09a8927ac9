# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The twin of ext/frugal/core/ignore_program.c: one wildcard pattern of
      # git's as a Regexp over bytes.
      #
      #   Frugal::Native::Pure::IgnorePattern.new("doc/*.html", true).regexp.match?("doc/a.html")  # => true
      #
      # A star takes as little as it can, and what matched behind it is not tried
      # further right (the C side says why that is right): this is what the atomic
      # groups say, and no pattern takes exponential time.
      class IgnorePattern
        # git's own, which know ASCII only, and neither VT nor FF among the spaces.
        CLASSES = {
          "alnum" => [48..57, 65..90, 97..122], "alpha" => [65..90, 97..122], "blank" => [9..9, 32..32],
          "cntrl" => [1..31, 127..127], "digit" => [48..57], "graph" => [33..126], "lower" => [97..122],
          "print" => [32..126], "punct" => [33..47, 58..64, 91..96, 123..126], "space" => [9..10, 13..13, 32..32],
          "upper" => [65..90], "xdigit" => [48..57, 65..70, 97..102]
        }.freeze
        SLASH = "/".ord

        # @param pattern [String] bytes, without a NUL
        # @param whole_path [Boolean] it is for paths, and "**" may stand for
        #   folders; else it is for names, which have no slash
        def initialize(pattern, whole_path)
          @pattern = pattern.b
          @whole_path = whole_path
        end

        # @return [Regexp, nil] nil where nothing can match, as git sees it
        def regexp
          @at = 0
          @wild = false # a special character was before
          @star = @deep = "" # what closes the group of the last one
          source = catch(:hopeless) { translate }
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
          byte = @pattern[@at] or throw :hopeless
          @at += 1
          byte
        end

        def quote(byte) = format("\\x%02x", byte)

        # A run means more than one star only where it stands alone between
        # slashes; but gits before 2.53 look behind it, not before it, where it is
        # the first special character: "a**/b" is also "ab" and "ax/y/b".
        def stars
          opens = !@wild || @pattern[@at - 2] == "/"
          run = 1 + @pattern[@at..].index(/[^*]|\z/n)
          @at += run - 1
          return star unless @whole_path && run > 1 && opens

          case @pattern[@at..]
          when "", %r{\A\\/}n then deep(".*?") # that slash must be
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
          negated = "!^".include?(@pattern[@at] || throw(:hopeless))
          @at += 1 if negated
          found = members
          bytes = (0..255).select { |byte| byte != SLASH && found.include?(byte) != negated }
          throw :hopeless if bytes.empty?
          "[#{bytes.slice_when { |one, two| two != one + 1 }.map { |run| "#{quote(run[0])}-#{quote(run[-1])}" }.join}]"
        end

        # @return [Hash{Integer => true}] what stands between the brackets
        def members
          found = {}
          before = nil # what a range may begin with
          loop do # a bracket that comes first is a member
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
            CLASSES.fetch(name) { throw :hopeless }.each { |range| add(found, range) }
            nil
          else
            literal(byte).tap { |one| add(found, one..one) }
          end
        end

        def literal(byte) = (byte == "\\" ? take : byte).ord

        # nil where the next bracket closes no class; then it is a plain one.
        def class_name
          close = @pattern.index("]", @at + 1) or throw :hopeless
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
