# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # What a transaction makes of its file: see Store::SharedFile#write. +image+
      # is what the file is afterwards, +whole+ gives all its bytes. Without
      # +fresh+, nothing is to be written.
      Change = Struct.new(:image, :base, :old, :fresh, :size, :final_size, :whole)
    end
  end
end
