# frozen_string_literal: true

module Frugal
  class Store
    # Marshal.dump with equal bytes for equal data, regardless of the order in which Hashes were
    # filled, and of which equal parts are the same object.
    #
    #   CanonicalMarshal.dump({ b: 1, a: 2 }) == CanonicalMarshal.dump({ a: 2, b: 1 })  # => true
    #   Marshal.load(CanonicalMarshal.dump(data)) == data                               # => true
    #
    # Hashes are loaded in the order of the bytes, and no Array, Hash, String or Struct is
    # shared. It supports nil, booleans, numbers, symbols, strings, arrays, hashes, structs,
    # times, classes and modules. For an object with anything else, such as a default or
    # instance variables, {dump} returns the bytes of Marshal.dump and yields the reason.
    #
    #   CanonicalMarshal.dump(Hash.new(0)) { |why| warn why }  # a Hash with a default
    module CanonicalMarshal
      # The tag of catch and throw. The value is the reason why there are no canonical bytes.
      # An exception would cost a backtrace.
      OBSTACLE = :frugal_obstacle
      private_constant :OBSTACLE

      class << self
        # @yieldparam obstacle [String] the reason, if the result is that of Marshal.dump
        # @return [String] binary
        # @raise [TypeError] as Marshal.dump, for an object that cannot be dumped
        # *Cost*: two to three times the time of Marshal.dump; no exception.
        def dump(object)
          bytes = Marshal.dump(object)
          copy = nil
          obstacle = catch(OBSTACLE) do
            copy = Copy.new(extended: Copy.maybe_extended?(bytes)).of(object)
            nil
          end
          return Marshal.dump(copy) unless obstacle

          yield obstacle if block_given?
          bytes
        end

        # @return [Boolean] whether {dump} gives canonical bytes
        # @raise [TypeError] as {dump}
        def canonical?(object)
          dump(object) { return false }
          true
        end
      end

      # Creates a canonical copy of an object graph: hashes are sorted, and no objects are
      # shared, except equal numbers and equal keys, whose identity a program cannot observe.
      # @private
      class Copy
        # Marshal writes an "e" and a symbol before an object that was extended with a module.
        def self.maybe_extended?(bytes) = bytes.match?(/e[:;I]/n)

        # @param extended [Boolean] whether objects may be extended with modules
        def initialize(extended:)
          @extended = extended
          @numbers = {} # one object for equal numbers, because Marshal writes links to numbers that are heap objects
          @keys = Hash.new { |all, encoding| all[encoding] = {} }
          @open = {}.compare_by_identity
        end

        def of(object)
          case object
          when nil, true, false, Symbol then object
          when Integer then @numbers[object] ||= object
          when Float then @numbers[object.nan? ? :nan : [object].pack("G")] ||= object
          else of_class(object)
          end
        end

        private

        # Copies only instances of the classes themselves: the additions of a subclass would be lost.
        def of_class(object)
          return object if Module === object

          stop(object, "instance variables") unless object.instance_variables.empty?
          stop(object, "a module that extends it") if @extended && extended?(object)
          if object.instance_of?(String) then +object.dup
          elsif object.instance_of?(Time) then object.dup
          elsif object.instance_of?(Array) then within(object) { object.map { |element| of(element) } }
          elsif object.instance_of?(Hash) then within(object) { hash(object) }
          elsif Struct === object then within(object) { struct(object) }
          else throw OBSTACLE, "an instance of #{object.class}"
          end
        end

        def hash(object)
          stop(object, "a default") unless object.default.nil? && object.default_proc.nil?
          stop(object, "compare_by_identity") if object.compare_by_identity?
          stop(object, "the ruby2_keywords flag") if Hash.ruby2_keywords_hash?(object)
          pairs = object.map { |key, value| key(key).then { |copy| [Marshal.dump(copy), copy, value] } }
          pairs.sort_by!(&:first)
          pairs.each_cons(2) { |one, other| stop(object, "keys that have equal dumps") if one.first == other.first }
          pairs.each_with_object({}) { |(_, key, value), sorted| sorted[key] = of(value) }
        end

        # A String key is Ruby's interned string of its text, as with Hash#[]=. The copies are
        # kept here, because Ruby 3.1 can intern a text twice during garbage collection.
        def key(key)
          return of(key) unless key.instance_of?(String)

          copy = of(key)
          @keys[copy.encoding][copy] ||= -copy
        end

        def struct(object)
          dumps = object.respond_to?(:marshal_dump, true) || object.respond_to?(:_dump, true)
          stop(object, "its own dump method") if dumps
          copy = object.class.allocate
          MEMBERS.bind_call(object).each { |name| SET.bind_call(copy, name, of(GET.bind_call(object, name))) }
          copy
        end

        MEMBERS = Struct.instance_method(:members)
        GET = Struct.instance_method(:[])
        SET = Struct.instance_method(:[]=)
        private_constant :MEMBERS, :GET, :SET

        def within(object)
          throw OBSTACLE, "#{with_article(object)} that contains itself" if @open[object]

          @open[object] = true
          yield.tap { @open.delete(object) }
        end

        # An interned string, such as a literal, cannot be extended.
        def extended?(object)
          return false if object.frozen? && object.instance_of?(String) && object.equal?(-object)

          (object.singleton_class.ancestors - object.class.ancestors).any? { |ancestor| !ancestor.singleton_class? }
        end

        def stop(object, what) = throw(OBSTACLE, "#{with_article(object)} with #{what}")

        def with_article(object) = "#{object.class.name.to_s.match?(/\A[AEIOU]/) ? "an" : "a"} #{object.class}"
      end
      private_constant :Copy
    end
  end
end
