# frozen_string_literal: true

require_relative "marshal_graphs"

# What a program can tell of an object graph, as text: classes, contents,
# encodings, variables, order, and which objects are the same.
#
#   ObjectShape.of([a = [1], a]) == ObjectShape.of([[1], [1]])  # => false
class ObjectShape
  def self.of(object) = new.describe(object)

  # @return [Hash{Integer=>Object}] all that a program can tell from a copy, by identity
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

  # Asking for a singleton class makes one, which takes its time.
  def extensions(object) = ("+" if object.is_a?(MarshalGraphs::Marked))

  def content(object)
    case object
    when String then "#{object.encoding}:#{object.b.inspect}"
    when Array then object.map { |element| describe(element) }.join(",")
    when Hash then "#{object.compare_by_identity?}#{object.map { |key, value| "#{key(object, key)}=>#{describe(value)}" }.join(",")};#{describe(object.default)}"
    when Struct then object.each.map { |value| describe(value) }.join(",")
    when Regexp, Time then object.inspect.b + (object.is_a?(Regexp) ? "#{object.options}#{object.encoding}" : "")
    end
  end

  # Strings that are keys are the same wherever their text is.
  def key(hash, key)
    return describe(key) unless key.instance_of?(String) && !hash.compare_by_identity? && key.instance_variables.empty?

    "\"#{key.encoding}:#{key.b.inspect}#{key.frozen?}"
  end

  def variables(object)
    object.instance_variables.map { |name| name.to_s.b + "=" + describe(object.instance_variable_get(name)) }.join(",")
  end
end
