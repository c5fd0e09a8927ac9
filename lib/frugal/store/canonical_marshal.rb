# frozen_string_literal: true

module Frugal
  class Store
    # Marshal.dump that gives the same bytes for the same data, whatever order
    # Hashes were filled in and whichever of their equal parts are one object.
    #
    #   CanonicalMarshal.dump({ b: 1, a: 2 }) == CanonicalMarshal.dump({ a: 2, b: 1 })  # => true
    #   Marshal.load(CanonicalMarshal.dump(data)) == data                               # => true
    #
    # What is loaded has the order of the bytes, and shares no Array, Hash, String
    # or Struct. It knows nil, booleans, numbers, symbols, strings, arrays, hashes,
    # structs, times, classes and modules. Where there is more to an object that
    # it would lose, such as a default or instance variables, it stands aside: the
    # bytes are Marshal's own, and a block is told why.
    #
    #   CanonicalMarshal.dump(Hash.new(0)) { |why| warn why }  # a Hash with a default
    module CanonicalMarshal
      # Why there are no canonical bytes; thrown, so that no backtrace is rendered.
      OBSTACLE = :frugal_obstacle
      private_constant :OBSTACLE

      class << self
        # @yieldparam obstacle [String] what stood in the way, where it is Marshal.dump's answer
        # @return [String] binary
        # @raise [TypeError] as Marshal.dump does, for what cannot be dumped
        # *Cost*: two to three times Marshal.dump's time; no exception.
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

      # One canonical copy of a graph: hashes in order, nothing shared but what
      # nobody can tell apart.
      class Copy
        # Marshal writes an "e" and a symbol before an object that was extended.
        def self.maybe_extended?(bytes) = bytes.match?(/e[:;I]/n)

        # @param extended [Boolean] whether objects may have modules of their own
        def initialize(extended:)
          @extended = extended
          @numbers = {} # equal ones are one: Marshal links to those that are objects
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

        # Only the very classes: what theirs adds would be lost.
        def of_class(object)
          return object if Module === object

          stop(object, "instance variables") unless object.instance_variables.empty?
          stop(object, "a module of its own") if @extended && extended?(object)
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
          stop(object, "the flag of ruby2_keywords") if Hash.ruby2_keywords_hash?(object)
          pairs = object.map { |key, value| key(key).then { |copy| [Marshal.dump(copy), copy, value] } }
          pairs.sort_by!(&:first)
          pairs.each_cons(2) { |one, other| stop(object, "keys that look alike") if one.first == other.first }
          pairs.each_with_object({}) { |(_, key, value), sorted| sorted[key] = of(value) }
        end

        # Strings that are keys are Ruby's one of the same text, as Hash#[]= has it;
        # but a collection that is under way can bring Ruby 3.1 to have two.
        def key(key)
          return of(key) unless key.instance_of?(String)

          copy = of(key)
          @keys[copy.encoding][copy] ||= -copy
        end

        def struct(object)
          stop(object, "a dump of its own") if object.respond_to?(:marshal_dump, true) || object.respond_to?(:_dump, true)
          copy = object.class.allocate
          MEMBERS.bind_call(object).each { |name| SET.bind_call(copy, name, of(GET.bind_call(object, name))) }
          copy
        end

        MEMBERS, GET, SET = %i[members [] []=].map { |name| Struct.instance_method(name) }
        private_constant :MEMBERS, :GET, :SET

        def within(object)
          throw OBSTACLE, "#{a(object)} that holds itself" if @open[object]

          @open[object] = true
          yield.tap { @open.delete(object) }
        end

        # Ruby's own strings, which literals are too, can have none.
        def extended?(object)
          return false if object.frozen? && object.instance_of?(String) && object.equal?(-object)

          (object.singleton_class.ancestors - object.class.ancestors).any? { |ancestor| !ancestor.singleton_class? }
        end

        def stop(object, what) = throw(OBSTACLE, "#{a(object)} with #{what}")

        def a(object) = object.class.name.to_s.match?(/\A[AEIOU]/) ? "an #{object.class}" : "a #{object.class}"
      end
      private_constant :Copy
    end
  end
end
