# frozen_string_literal: true

require_relative "../../constants"
require_relative "../../native"

module Frugal
  module Dropin
    module Pstore
      # The format of a store's file, detected by the class that defines its hooks.
      #
      #   Formats.of(PStore.new("a"))        # => :marshal
      #   Formats.of(YAML::Store.new("a"))   # => :yaml
      #   Formats.of(a_subclass)             # => :own; its hooks are called as stock calls them
      module Formats
        HOOKS = %i[dump load empty_marshal_data empty_marshal_checksum].freeze

        class << self
          # Records upstream's methods, to notice later if a program has redefined one.
          def record_upstream_methods
            @names = PARTS.drop(1) + HOOKS
            @methods = @names.map { |name| ::PStore.instance_method(name) }
            @lines = @names.zip(@methods.map(&:source_location)).to_h
          end

          # @param store [PStore]
          # @return [Symbol, nil] nil if it overrides a method that makes up a transaction
          # *Cost*: no system call; for an instance of PStore itself, one object for each method.
          def of(store)
            engine = Frugal::Native.engine
            return :marshal if engine.direct?(store, ::PStore) && engine.same?(::PStore, @names, @methods)
            return unless PARTS.drop(1).all? { |name| owner(store, name).equal?(::PStore) }

            owners = HOOKS.map { |name| owner(store, name) }.uniq
            return :own unless owners.size == 1

            if owners.first.equal?(::PStore) then :marshal
            elsif owners.first.equal?(Constants.loaded("YAML::Store")) then :yaml
            else :own
            end
          end

          private

          # @return [Module, nil] nil if it is PStore, but the method was redefined
          def owner(store, name)
            method = METHOD.bind_call(store, name)
            owner = method.owner
            owner unless owner.equal?(::PStore) && method.source_location != @lines[name]
          end
        end

        METHOD = ::Kernel.instance_method(:method)
        private_constant :METHOD
      end
    end
  end
end
