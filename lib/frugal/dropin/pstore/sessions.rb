# frozen_string_literal: true

module Frugal
  module Dropin
    module Pstore
      # The sessions that all PStore objects of one file share: a new PStore object finds
      # the index that the last transaction of another object left.
      #
      #   session = Sessions.find("a.store")   # nil: make one
      #   Sessions.keep(session)               # now that it has an index
      #
      # An LRU list of at most {AT_MOST} sessions with {MEMORY} bytes. PStore objects keep the
      # sessions that they use, even if the list drops them. If two paths name one file, by
      # device and inode, one session takes the index of the other. The pure engine
      # does not have the list. C's does not keep a session alive that is in a transaction.
      module Sessions
        AT_MOST = 32
        MEMORY = 64 << 20

        class << self
          # @param path [String]
          # @return [Session, nil] one of this path that is in no transaction
          def find(path)
            session = kept.find { |one| one.path == path && one.free? }
            session&.keep
            session
          end

          # @param session [Session] its file is locked, and has to be read
          # @return [Session, nil] one that has read the same content by another path
          def of_same_file(session) = kept.find { |one| session.same?(one) && one.free? }

          # Moves a session to the front of the list, and drops the last ones beyond the limits.
          #
          # @param session [Session] that is in a transaction
          def keep(session)
            session.keep
            sessions = [session, *kept]
            sessions.pop.drop while sessions.size > AT_MOST || sessions.sum(&:memsize) > MEMORY
          end

          private

          def kept = Native.engine::StoreFile.kept
        end
      end
    end
  end
end
