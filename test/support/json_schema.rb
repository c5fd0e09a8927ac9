# frozen_string_literal: true

# Validates a document. Supports the part of JSON Schema that frugal's schemas use.
#
#   JSONSchema.new(JSON.parse(File.read("docs/compare.schema.json"))).errors(document)   # => []
class JSONSchema
  TYPES = { "object" => Hash, "array" => Array, "string" => String, "integer" => Integer, "number" => Numeric,
            "null" => NilClass }.freeze
  KNOWN = %w[$schema $defs $ref title type required additionalProperties properties items enum const oneOf allOf].freeze

  def initialize(schema)
    @root = schema
  end

  # @return [Array<String>] the errors and their places
  def errors(value, schema = @root, where = "$")
    schema = @root.dig(*schema["$ref"].delete_prefix("#/").split("/")) if schema["$ref"]
    unknown = schema.keys - KNOWN
    raise ArgumentError, "this validator does not support #{unknown.join(", ")}" if unknown.any?

    all = schema.fetch("allOf", []).flat_map { |part| errors(value, part, where) }
    all + own(value, schema, where) + members(value, schema, where) + elements(value, schema, where)
  end

  private

  # Errors of the value itself, not of its members or elements.
  def own(value, schema, where)
    types = Array(schema["type"])
    found = []
    found << "#{where} is not of type #{schema["type"]}" if types.any? && types.none? { |type| type?(value, type) }
    found << "#{where} is not #{schema["const"].inspect}" if schema.key?("const") && value != schema["const"]
    found << "#{where} is not one of #{schema["enum"]}" if schema["enum"] && !schema["enum"].include?(value)
    found << "#{where} does not match exactly one schema" if schema["oneOf"] && !matches_one?(value, schema["oneOf"], where)
    found
  end

  def matches_one?(value, schemas, where) = schemas.one? { |schema| errors(value, schema, where).empty? }

  def type?(value, type) = type == "boolean" ? [true, false].include?(value) : TYPES.fetch(type) === value

  def members(value, schema, where)
    return [] unless value.is_a?(Hash)

    missing = Array(schema["required"]).reject { |name| value.key?(name) }.map { |name| "#{where}.#{name} is missing" }
    missing + value.flat_map do |name, member|
      rule = schema.fetch("properties", {}).fetch(name) { schema.fetch("additionalProperties", true) }
      next [] if rule == true

      rule ? errors(member, rule, "#{where}.#{name}") : ["#{where}.#{name} is unknown"]
    end
  end

  def elements(value, schema, where)
    return [] unless value.is_a?(Array) && schema["items"]

    value.each_with_index.flat_map { |element, index| errors(element, schema["items"], "#{where}[#{index}]") }
  end
end
