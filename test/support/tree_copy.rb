# frozen_string_literal: true

# Scripts that may do anything to a tree: each gets a copy of the one called t, and
# begins with the test's HEAD.
module TreeCopy
  # @param load [String] what goes before HEAD
  # @param nobody [Boolean] as nobody, whose the copy is, where root runs the tests
  # @yieldparam result [Subprocess::Result]
  # @yieldparam folder [String] that holds the copy
  # @return [Object] what the block returns
  def run_in_copy(load, script, nobody: false)
    folder = path("run")
    assert system("cp", "-a", path("t"), mkdir("run"))
    user = nobody && Process.uid.zero? ? "FileUtils.chown_R(#{Users::NOBODY}, #{Users::NOBODY}, '.'); #{Users::BECOME_NOBODY};" : ""
    File.chmod(0o755, tree)
    result = run_command(Subprocess::RUBY, "-W0", Subprocess::RACTOR_VALUE, "-I", Subprocess::LIB, "-e", "#{load} #{self.class::HEAD}#{user}\n#{script}", chdir: folder)
    assert_empty result.err, script
    yield result, folder
  ensure
    system("chmod", "-R", "u+rwx", folder, err: File::NULL)
    system("rm", "-rf", folder) # rm_rf leaves paths that are too long
  end
end
