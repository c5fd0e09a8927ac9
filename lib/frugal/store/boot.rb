# frozen_string_literal: true

module Frugal
  class Store
    # Which run of the system this is: within one, what was written is what is read;
    # after the next, only what was synced is sure to be there.
    module Boot
      SIZE = 16 # bytes

      class << self
        # @return [String, nil] nil where the system does not tell
        def id = defined?(@id) ? @id : @id = ask

        private

        def ask
          text = File.read("/proc/sys/kernel/random/boot_id")
        rescue SystemCallError
          text = RUBY_PLATFORM.include?("darwin") ? `/usr/sbin/sysctl -n kern.bootsessionuuid` : ""
        ensure
          hex = text.to_s.delete("^0-9a-fA-F")
          return hex.size == 2 * SIZE ? [hex].pack("H*").freeze : nil
        end
      end
    end
  end
end
