# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # What all PStore objects of one file share: a new PStore object finds
      # the index that the last transaction of another object left.
      #
      #   file = KeptFiles.find("a.store")   # nil: make one
      #   KeptFiles.keep(file)               # now that it has an index
      #
      # An LRU list of at most {AT_MOST} files with {MEMORY} bytes. PStore objects keep the
      # files that they use, even if the list drops them. If two paths name one file, by
      # device and inode, one file takes the index of the other. The pure engine does not
      # have the list. The C engine's list does not keep a file in a transaction alive.
      module KeptFiles
        AT_MOST = 32
        MEMORY = 64 << 20

        class << self
          # @param path [String]
          # @return [KeptFile, nil] one of this path that is in no transaction
          def find(path)
            file = kept.find { |one| one.path == path && one.free? }
            file&.keep
            file
          end

          # @param file [KeptFile] a locked file whose content has to be read
          # @return [KeptFile, nil] a kept file that has read the same content by another path
          def of_same_file(file) = kept.find { |one| file.same?(one) && one.free? }

          # Moves a file to the front of the list, and drops the last ones beyond the limits.
          #
          # @param file [KeptFile] that is in a transaction
          def keep(file)
            file.keep
            files = [file, *kept]
            files.pop.drop while files.size > AT_MOST || files.sum(&:memsize) > MEMORY
          end

          private

          def kept = Native.engine::StoreFile.kept
        end
      end
    end
  end
end
