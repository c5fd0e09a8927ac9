# frozen_string_literal: true

# Runs scripts that may change a tree in any way. Each script gets a copy of the tree `t`
# and begins with HEAD of the test.
module TreeCopy
  # @param load [String] Ruby code before HEAD
  # @param nobody [Boolean] whether to run as the user nobody, who then owns the copy; only if root runs the tests
  # @yieldparam result [Subprocess::Result]
  # @yieldparam folder [String] the folder that contains the copy
  # @return [Object] the value of the block
  def run_in_copy(load, script, nobody: false)
    folder = path("run")
    assert system("cp", "-a", path("t"), mkdir("run"))
    user = "FileUtils.chown_R(#{Users::NOBODY}, #{Users::NOBODY}, '.'); #{Users::BECOME_NOBODY};" if nobody && Process.uid.zero?
    File.chmod(0o755, tree)
    result = run_command(Subprocess::RUBY, "-W0", Subprocess::RACTOR_VALUE, "-I", Subprocess::LIB,
                         "-e", "#{load} #{self.class::HEAD}#{user}\n#{script}", chdir: folder)
    assert_empty result.err, script
    yield result, folder
  ensure
    system("chmod", "-R", "u+rwx", folder, err: File::NULL)
    system("rm", "-rf", folder) # FileUtils.rm_rf does not remove paths that are too long
  end
end
