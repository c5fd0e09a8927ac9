# frozen_string_literal: true

# For tests that wait in vain for the lock of an entry.
module LockWait
  private

  # @param seconds [Numeric] instead of five
  def with_lock_wait(seconds)
    before = Frugal::Entries::LOCK_WAIT
    replace_lock_wait(seconds)
    yield
  ensure
    replace_lock_wait(before)
  end

  def replace_lock_wait(seconds)
    Frugal::Entries.send(:remove_const, :LOCK_WAIT)
    Frugal::Entries.const_set(:LOCK_WAIT, seconds)
  end
end
