# frozen_string_literal: true

# Root may read everything, so what is forbidden is tried as nobody where root
# runs the tests.
#
#   File.chmod(0, path("closed"))
#   as_nobody { assert_raises(Errno::EACCES) { Frugal.walk(path("closed")) } }
module Users
  NOBODY = 65_534
  # Ruby for a child process, which loads all that it needs before.
  BECOME_NOBODY = "Process::UID.change_privilege(#{NOBODY}) if Process.euid.zero?"

  # The block has nobody's rights.
  def as_nobody
    before = Process.euid
    Process::UID.eid = NOBODY if before.zero?
    yield
  ensure
    Process::UID.eid = before if before.zero?
  end

  # Within as_nobody: the block has the rights that there were before.
  def as_owner
    before = Process.euid
    Process::UID.eid = Process.uid
    yield
  ensure
    Process::UID.eid = before
  end

  # For root only.
  #
  # @return [Object] what the block answers in a process that is nobody's for good, group and all, or its error's message
  def in_process_of_nobody
    in_process do
      Process::GID.change_privilege(NOBODY)
      Process::UID.change_privilege(NOBODY)
      yield
    end
  end
end
