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
            @upstream = (PARTS.drop(1) + HOOKS).to_h { |name| [name, ::PStore.instance_method(name)] }
          end

          # @param store [PStore]
          # @return [Symbol, nil] nil if it overrides a method that makes up a transaction
          # *Cost*: no system call; for an instance of PStore itself, one object for each method.
          def of(store)
            return :marshal if Frugal::Native.engine.direct?(store, ::PStore) && all_pristine?
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
            owner unless owner.equal?(::PStore) && method.source_location != @upstream[name].source_location
          end

          def all_pristine? = @upstream.all? { |name, method| INSTANCE_METHOD.bind_call(::PStore, name) == method }
        end

        METHOD = ::Kernel.instance_method(:method)
        INSTANCE_METHOD = ::Module.instance_method(:instance_method)
        private_constant :METHOD, :INSTANCE_METHOD
      end
    end
  end
end
