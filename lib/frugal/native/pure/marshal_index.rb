# frozen_string_literal: true

module Frugal
  module Native
    module Pure
      # The pure twin of ext/frugal/marshal/marshal.c. Scanning Marshal in Ruby takes longer than
      # Marshal.load, so the pure engine creates no index, and stores are loaded as a whole.
      module MarshalIndex
        # @param _bytes [String]
        # @return [nil] as the C engine for bytes that it cannot index
        def self.new(_bytes, _outdated = nil) = nil
      end
    end
  end
end
