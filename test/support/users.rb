# frozen_string_literal: true

# If root runs the tests, permissions are tested as the user nobody, because root may read
# everything.
#
#   File.chmod(0, path("closed"))
#   as_nobody { assert_raises(Errno::EACCES) { Frugal.walk(path("closed")) } }
module Users
  NOBODY = 65_534
  # Ruby code for a child process, which must load its libraries before, since the checkout may be in a folder that is closed
  # to others, such as root's home. LOAD_COMMANDS loads those of the commands `walk` and `budget`.
  COMMANDS = File.expand_path("../../lib/frugal/{cli.rb,cli/*.rb,cli/{budget,definition,complaint,walk}*/*.rb}", __dir__)
  LOAD_COMMANDS = %(require "frugal"; Dir.glob("#{COMMANDS}") { |file| require file }; Frugal::Native.engine)
  BECOME_NOBODY = "Process::UID.change_privilege(#{NOBODY}) if Process.euid.zero?"

  # For programs that load frugal as nobody.
  def needs_a_checkout_for_nobody
    library = Subprocess::LIB
    skip "the user nobody may not read #{library}" unless in_process_of_nobody { File.readable?("#{library}/frugal.rb") }
  end

  # Runs the block with the permissions of nobody.
  def as_nobody
    before = Process.euid
    Process::UID.eid = NOBODY if before.zero?
    yield
  ensure
    Process::UID.eid = before if before.zero?
  end

  # Runs a block within {#as_nobody} with the original permissions.
  def as_owner
    before = Process.euid
    Process::UID.eid = Process.uid
    yield
  ensure
    Process::UID.eid = before
  end

  # Runs the block in a process that has become nobody, with its group, permanently. For root only.
  #
  # @return [Object] the value of the block, or the message of its error
  def in_process_of_nobody
    in_process do
      Process::GID.change_privilege(NOBODY)
      Process::UID.change_privilege(NOBODY)
      yield
    end
  end
end
