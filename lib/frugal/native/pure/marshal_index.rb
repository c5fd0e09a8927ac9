# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The twin of ext/frugal/marshal.c. Reading Marshal in Ruby takes longer
      # than Marshal.load does, so here no store has an index: it is loaded whole.
      module MarshalIndex
        # @param _bytes [String]
        # @return [nil] as the C engine's, for bytes that it can tell no roots of
        def self.new(_bytes) = nil
      end
    end
  end
end
