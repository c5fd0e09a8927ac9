# frozen_string_literal: true

require_relative "marshal_graphs"

# Describes an object graph as text, with all that a program can observe: classes, contents,
# encodings, variables, order, and which objects are identical.
#
#   ObjectShape.of([a = [1], a]) == ObjectShape.of([[1], [1]])  # => false
class ObjectShape
  def self.of(object) = new.describe(object)

  # @return [Hash{Object => Integer}] by identity: all objects that a program can distinguish from a copy → number
  def self.objects(object) = new.tap { |shape| shape.describe(object) }.seen

  def initialize
    @numbers = {}.compare_by_identity
  end

  def seen = @numbers

  # @return [String] binary
  def describe(object)
    case object
    when Symbol then return object.inspect.b + object.encoding.name
    when Integer, nil, true, false, Module then return object.inspect
    when Float then return [object].pack("G").unpack1("H*")
    end
    return "@#{@numbers[object]}" if @numbers.key?(object)

    @numbers[object] = @numbers.size
    "#{object.class}#{extensions(object)}#{"!" if object.frozen?}(#{content(object)})#{variables(object)}"
  end

  private

  # Does not call `singleton_class`, which is slow, because it creates one.
  def extensions(object) = ("+" if object.is_a?(MarshalGraphs::Marked))

  def content(object)
    case object
    when String then "#{object.encoding}:#{object.b.inspect}"
    when Array then object.map { |element| describe(element) }.join(",")
    when Hash then "#{object.compare_by_identity?}#{pairs(object)};#{describe(object.default)}"
    when Struct then object.each.map { |value| describe(value) }.join(",")
    when Regexp, Time then object.inspect.b + (object.is_a?(Regexp) ? "#{object.options}#{object.encoding}" : "")
    end
  end

  def pairs(hash) = hash.map { |key, value| "#{key(hash, key)}=>#{describe(value)}" }.join(",")

  # The identity of a String key is ignored, because Ruby deduplicates such Strings.
  def key(hash, key)
    return describe(key) unless key.instance_of?(String) && !hash.compare_by_identity? && key.instance_variables.empty?

    "\"#{key.encoding}:#{key.b.inspect}#{key.frozen?}"
  end

  def variables(object)
    object.instance_variables.map do |name|
      name.to_s.b + "=" + describe(object.instance_variable_get(name))
    end.join(",")
  end
end
