# frozen_string_literal: true

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
          # @param store [PStore]
          # @return [Symbol, nil] nil: it overrides what a transaction consists of
          def of(store)
            return unless PARTS.drop(1).all? { |name| owner(store, name).equal?(::PStore) }

            owners = HOOKS.map { |name| owner(store, name) }.uniq
            return :own unless owners.size == 1

            if owners.first.equal?(::PStore) then :marshal
            elsif defined?(::YAML::Store) && owners.first.equal?(::YAML::Store) then :yaml
            else :own
            end
          end

          private

          def owner(store, name) = METHOD.bind_call(store, name).owner
        end

        METHOD = ::Kernel.instance_method(:method)
        private_constant :METHOD
      end
    end
  end
end
