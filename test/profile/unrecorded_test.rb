# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"

# The notes of programs that were executed and left no log.
class UnrecordedTest < Frugal::TestCase
  STATIC = "not recorded, because it is statically linked: "
  SETUID = "not recorded, because it is a setuid program: "
  OTHER = "not recorded, because it could not create a log (other user, chroot, other libc, or no free descriptor): "

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  def test_a_static_program_below_a_shell
    static = compile("static", "int main(void) { return 0; }", "-static")
    assert_equal ["#{STATIC}#{static} (2 times)"], notes("sh", "-c", "#{static}; #{static}; ls >ls; exit 0")
    assert_equal ["#{STATIC}#{static}"], notes(RUBY, "--disable-gems", "-e", "exec ARGV[0]", static)
    assert_equal ["#{STATIC}#{static} (3 times)"],
                 notes(RUBY, "--disable-gems", "-e", "system(ARGV[0]); IO.popen(ARGV[0], &:read); Process.wait(fork { exec ARGV[0] })", static)
  end

  def test_programs_that_are_found_in_the_path
    static = compile("bin/static", "int main(void) { return 0; }", "-static")
    with_path(path("bin")) { assert_equal ["#{STATIC}#{static}"], notes("env", "static") }
  end

  def test_a_static_program_by_posix_spawn
    static = compile("static", "int main(void) { return 0; }", "-static")
    spawner = compile("spawner", <<~C)
      #include <spawn.h>
      #include <sys/wait.h>
      int main(int count, char **argv) {
          pid_t pid;
          char *none[] = { argv[1], 0 };
          return posix_spawn(&pid, argv[1], 0, 0, none, none + 1) || waitpid(pid, 0, 0) < 0;
      }
    C
    assert_equal ["#{STATIC}#{static}"], notes(spawner, static)
    assert_empty notes(spawner, "/bin/ls")
  end

  def test_what_is_recorded_has_no_note
    script = "system('no-such-program'); system('ls >ls'); exec('/nonexistent') rescue exec('sh', '-c', 'exec ls >ls')"
    assert_empty notes(RUBY, "--disable-gems", "-e", script)
    assert_empty notes("sh", "-c", "./none; /etc/passwd; env true; exec true")
  end

  def test_a_setuid_program
    skip "only root can make a setuid program of another user" unless Process.uid.zero?
    needs_a_checkout_for_nobody
    setuid = copy("/bin/true", "setuid", 0o4755)
    File.chmod(0o777, tree)
    assert_equal ["#{SETUID}#{setuid}"], in_process_of_nobody { notes("sh", "-c", "#{setuid}; ls >ls; exit 0") }
  end

  def test_another_user
    skip "only root can become another user" unless Process.uid.zero? && system("which su", out: File::NULL, err: File::NULL)
    File.chmod(0o755, tree)
    assert_includes notes("su", "nobody", "-s", "/bin/sh", "-c", "true; exit 0"), "#{OTHER}/bin/sh"
  end

  private

  # @return [Array<String>]
  def notes(*command)
    Frugal::Profile::Run.new(command, chdir: tree, in: File::NULL, out: path("out"), err: path("out")).call.notes
  end

  # @return [String] the path of the program
  def compile(name, code, *options)
    write("#{name}.c", code)
    result = run_command("gcc", *options, "-o", path(name), path("#{name}.c"))
    skip "gcc cannot make a program here: #{result.err}" unless result.success?
    path(name)
  end

  def copy(program, name, mode)
    FileUtils.cp(program, path(name))
    File.chmod(mode, path(name))
    path(name)
  end

  def with_path(folder)
    before = ENV.fetch("PATH")
    ENV["PATH"] = "#{folder}:#{before}"
    yield
  ensure
    ENV["PATH"] = before
  end
end
