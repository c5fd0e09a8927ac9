# frozen_string_literal: true

require "set"

module PStoreFuzz
  Point = Struct.new(:x, :y)

  # A class with instance variables.
  class Thing
    attr_accessor :name, :other
  end

  # A class with marshal_dump.
  class Coin
    attr_reader :value

    def initialize(value) = @value = value
    def marshal_dump = [@value]
    def marshal_load(array) = @value = array.first
  end

  # Random values of all types that a store can hold. The same random numbers give the same values.
  class Values
    WORDS = ["", "a", "name", "x" * 30, "grüße", "\u3042", "line\nline", "'\"", "- : #", "yes", "1.5"].freeze
    SCALARS = [nil, true, false, 0, 1, -1, 127, 300, -70_000, 2**29, 2**30, 2**31, 2**40, -(2**62), 2**64, 2**80,
               0.0, -1.5, 1e300, Float::INFINITY, :a, :name, :"two words", :grüße].freeze

    def initialize(random, plain:)
      @random = random
      @plain = plain
    end

    def pick(list) = list[@random.rand(list.size)]

    def key
      case @random.rand(14)
      when 0..4 then pick(%i[a b c name])
      when 5..8 then pick(%w[a b name grüße]).dup
      when 9, 10 then @random.rand(4)
      when 11 then @plain ? "1" : nil
      when 12 then @plain ? :d : pick([1.5, [1, "a"], Point.new(1, 2), true, Time.at(5)])
      else "b".encode(@plain ? "UTF-8" : "UTF-16LE")
      end
    end

    def value(depth = 0)
      case @random.rand(depth < 3 ? 20 : 8)
      when 0..3 then pick(SCALARS.first(@plain ? 19 : SCALARS.size))
      when 4..6 then text
      when 7 then @plain ? text : time
      when 8..10 then Array.new(@random.rand(4)) { value(depth + 1) }
      when 11..15 then Array.new(@random.rand(4)) { [key_in_hash, value(depth + 1)] }.to_h
      when 16 then shared(depth)
      else @plain ? text : object(depth)
      end
    end

    # Changes a value in place, if it is mutable.
    def change(value)
      return if value.frozen?

      case value
      when String then value << "!"
      when Array then value << text
      when Hash then value[key_in_hash] = text
      when Point then value.x = text
      when Thing then value.name = text
      end
    end

    private

    def text
      word = pick(WORDS).dup
      case @random.rand(@plain ? 6 : 10)
      when 6 then word.b
      when 7 then word.encode("UTF-16LE")
      when 8 then word.ascii_only? ? word.force_encoding("US-ASCII") : word.dup.force_encoding("Shift_JIS")
      when 9 then word.freeze
      else word
      end
    end

    def time = Time.at(@random.rand(10**9), pick([0, 5, 123.5]), in: pick(["UTC", nil, "+09:00", -3600]))

    def key_in_hash = pick(["name", "size", :name, :x, 1, "name".dup])

    def shared(depth)
      part = value(depth + 1)
      pick([[part, part], { "one" => part, "two" => part }])
    end

    def object(depth)
      case @random.rand(12)
      when 0, 1 then Point.new(value(depth + 1), value(depth + 1))
      when 2, 3 then thing(depth)
      when 4 then Coin.new(value(depth + 1))
      when 5 then Time.at(@random.rand(10**9), Rational(1, 3**90)) # its dump has more parts than that of most Times
      when 6 then pick([String, Comparable, Point])
      when 7 then /#{pick(%w[a b.c])}/i
      when 8 then Hash.new(1).update("a" => value(depth + 1))
      when 9 then Set.new([1, text])
      when 10 then pick([1..3, Rational(1, 3), Complex(1, 2)])
      else circle
      end
    end

    def thing(depth)
      Thing.new.tap do |thing|
        thing.name = text
        thing.other = value(depth + 1)
      end
    end

    def circle = [].tap { |array| array << array << text }
  end

  # Describes a value as text: class, content, encodings, and which parts are the same object.
  class Description
    def self.of(value) = new.describe(value)

    def initialize
      @seen = {}.compare_by_identity
    end

    def describe(value)
      case value
      when nil, true, false, Integer, Float, Symbol, Module, Range, Rational, Complex then value.inspect
      else number(value) { |at| "#{at}:#{content(value)}#{"!" if value.frozen?}" }
      end
    end

    private

    def number(value)
      return "@#{@seen[value]}" if @seen.key?(value)

      yield @seen[value] = @seen.size
    end

    def content(value)
      case value
      when String then "#{value.encoding}#{value.b.inspect}"
      when Array then "[#{value.map { |one| describe(one) }.join(", ")}]"
      when Hash
        pairs = value.map { |key, one| "#{describe(key)}=>#{describe(one)}" }
        "{#{pairs.join(", ")}}#{value.default.inspect if value.default}"
      when Point then "Point#{value.to_a.map { |one| describe(one) }}"
      when Thing then "Thing(#{describe(value.name)}, #{describe(value.other)})"
      when Coin then "Coin(#{describe(value.value)})"
      when Set then "Set#{value.to_a.map { |one| describe(one) }}"
      when Time then value.utc.strftime("%s.%N")
      else value.inspect
      end
    end
  end
end
