# frozen_string_literal: true

require_relative "../../constants"

module Frugal
  module Dropin
    module Pstore
      # Which format a store has, told by who defines its hooks.
      #
      #   Formats.of(PStore.new("a"))        # => :marshal
      #   Formats.of(YAML::Store.new("a"))   # => :yaml
      #   Formats.of(a_subclass)             # => :own, its hooks are called as stock calls them
      module Formats
        HOOKS = %i[dump load empty_marshal_data empty_marshal_checksum].freeze

        class << self
          # Notes upstream's methods: a program may open the class later, and put its
          # own in their place.
          def know
            @known = (PARTS.drop(1) + HOOKS).to_h { |name| [name, ::PStore.instance_method(name).source_location] }
          end

          # @param store [PStore]
          # @return [Symbol, nil] nil: it overrides what a transaction consists of
          def of(store)
            return unless PARTS.drop(1).all? { |name| owner(store, name).equal?(::PStore) }

            owners = HOOKS.map { |name| owner(store, name) }.uniq
            return :own unless owners.size == 1

            if owners.first.equal?(::PStore) then :marshal
            elsif owners.first.equal?(Constants.loaded("YAML::Store")) then :yaml
            else :own
            end
          end

          private

          # @return [Module, nil] nil: PStore, but not as it was
          def owner(store, name)
            method = METHOD.bind_call(store, name)
            owner = method.owner
            owner unless owner.equal?(::PStore) && method.source_location != @known[name]
          end
        end

        METHOD = ::Kernel.instance_method(:method)
        private_constant :METHOD
      end
    end
  end
end
