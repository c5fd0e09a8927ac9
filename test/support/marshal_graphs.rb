# frozen_string_literal: true

# Random stores for Marshal: every type that it writes, objects shared within a root
# and across roots, and objects that contain themselves.
#
#   MarshalGraphs.new(7).store     # => { "a" => [...], ... }
class MarshalGraphs
  Point = Struct.new(:x, :y)
  Named = Struct.new(:encoding, :value, keyword_init: true)
  class Plain
    attr_accessor :one, :other
  end

  class Listing < Array; end
  class Table < Hash; end
  class Text < String; end
  module Marked; end

  # Has _dump, whose string may have instance variables.
  class Packed
    attr_reader :text

    def initialize(text) = @text = text
    def _dump(_limit) = text.dup.tap { |bytes| bytes.instance_variable_set(:@more, [text]) if text.size.odd? }

    def self._load(text)
      text.remove_instance_variable(:@more) if text.instance_variable_defined?(:@more)
      new(text)
    end
  end

  # Has marshal_dump.
  class Wrapped
    attr_reader :value

    def initialize(value) = @value = value
    def marshal_dump = [@value]
    def marshal_load(list) = @value = list.first
  end

  TEXTS = ["", "a", "name", "é", "x" * 200, "\xFF\x00".b, "tête".encode("ISO-8859-1"), "日本".encode("Shift_JIS"),
           "plain".b, "plain".encode("US-ASCII"), "wide".encode("UTF-16LE"), "\xC3".dup.force_encoding("UTF-8"),
           "encoding", "E", "key1", "key2"].freeze
  NUMBERS = [0, 1, -1, 122, 123, -123, -124, 255, 256, -256, -257, 65_536, 2**30 - 1, 2**30, -(2**30) - 1,
             2**61, 2**62, -(2**62), 2**64, -(2**200), 0.0, -0.0, 1.5, 0.1, 1e300, -1e-300,
             Float::INFINITY, Float::NAN, 1e40, 1e17, 1.0e-5].freeze
  SYMBOLS = %i[a b name E encoding é K].push(:"", :日本, :"a b").freeze

  # @param plain [Boolean] only objects that Marshal.load makes without calling methods of their classes
  # @param tame [Boolean] no objects that contain themselves, and no defaults
  def initialize(seed, plain: false, tame: false)
    @random = Random.new(seed)
    @plain = plain
    @tame = tame
  end

  # @return [Hash] its keys are strings, symbols and integers
  def store(roots = @random.rand(0..12))
    @shared = []
    Array.new(roots) { [key, value(0)] }.to_h
  end

  def value(depth)
    return @shared.sample(random: @random) if !@shared.empty? && one_in(6)

    made = depth > 4 || one_in(3) ? simple : container(depth + 1)
    @shared << made if one_in(4)
    made
  end

  def key
    case @random.rand(4)
    when 0 then pick(SYMBOLS)
    when 1 then @random.rand(-300..300)
    when 2 then pick(TEXTS.reject { |text| text.encoding.to_s.match?(/ISO|JIS|UTF-16/) }).dup
    else "key#{@random.rand(20)}"
    end
  end

  private

  def one_in(count) = @random.rand(count).zero?
  def pick(list) = list[@random.rand(list.size)]
  def some(depth) = Array.new(@random.rand(0..4)) { value(depth) }

  def simple
    case @random.rand(@plain ? 5 : 9)
    when 0 then [nil, true, false].sample(random: @random)
    when 1 then pick(NUMBERS)
    when 2 then pick(SYMBOLS)
    when 3, 4 then pick(TEXTS).dup
    when 5 then [String, Comparable, Point].sample(random: @random)
    when 6
      [/a.b/mi, /é/, Regexp.new("x".b, Regexp::FIXEDENCODING), Regexp.new("a".encode("EUC-JP"))]
        .sample(random: @random).dup
    when 7 then Time.at(@random.rand(10**9), 123_456_789, :nsec, in: ["UTC", "+03:00"].sample(random: @random))
    else Packed.new(pick(TEXTS).dup)
    end
  end

  def container(depth)
    made = @plain ? [array(depth), hash(depth)].sample(random: @random) : any(depth)
    @shared << made if one_in(5)
    made << made if !@tame && made.instance_of?(Array) && one_in(15)
    made
  end

  def any(depth)
    case @random.rand(12)
    when 0, 1 then array(depth)
    when 2, 3 then hash(depth)
    when 4 then Point.new(value(depth), value(depth))
    when 5 then Named.new(encoding: value(depth), value: value(depth))
    when 6 then plain_object(depth)
    when 7 then Wrapped.new(value(depth))
    when 8 then Listing.new(some(depth)).tap { |list| list.extend(Marked) if one_in(2) }
    when 9 then Table.new(value(depth)).update(hash(depth))
    when 10 then Text.new(pick(TEXTS)).tap { |text| text.extend(Marked) if one_in(3) }
    else with_variables(depth)
    end
  end

  def plain_object(depth)
    Plain.new.tap { |object| object.one, object.other = value(depth), (one_in(3) ? object : value(depth)) }
  end

  def with_variables(depth)
    object = [+"text", pick(TEXTS).dup, [1], { 1 => 2 }].sample(random: @random)
    object.instance_variable_set(:@more, value(depth))
    object
  end

  def array(depth) = some(depth)

  def hash(depth)
    made = {}
    made.compare_by_identity if !@plain && one_in(8)
    @random.rand(0..4).times { made[one_in(5) ? value(depth) : key] = value(depth) }
    made.default = value(depth) if !@tame && one_in(8)
    made
  end
end
