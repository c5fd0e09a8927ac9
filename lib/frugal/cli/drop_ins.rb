# frozen_string_literal: true

module Frugal
  module CLI
    # @return [Proc] the names of all drop-ins, which only completions and man pages need
    DROP_INS = lambda do
      require_relative "../dropin"
      Dropin::CATALOGUE.keys.map(&:to_s)
    end
  end
end
