# frozen_string_literal: true

require_relative "../../platform"

module Frugal
  class Store
    class Journal
      # Identifies the current boot of the system. Until the next boot every write can be
      # read back; after a crash, only synced writes are certain to be on the disk.
      module Boot
        SIZE = 16 # bytes

        class << self
          # @return [String, nil] nil if the system has no such id
          def id = defined?(@id) ? @id : @id = read

          private

          def read
            hex = text.delete("^0-9a-fA-F")
            [hex].pack("H*").freeze if hex.size == 2 * SIZE
          end

          def text
            File.read("/proc/sys/kernel/random/boot_id")
          rescue SystemCallError
            Platform::MACOS ? sysctl : ""
          end

          def sysctl
            `/usr/sbin/sysctl -n kern.bootsessionuuid`
          rescue SystemCallError
            ""
          end
        end
      end
    end
  end
end
