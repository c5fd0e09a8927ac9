# frozen_string_literal: true

# The gem as users get it: built from copies of its files, without git, then installed and compiled once for all tests of a
# process, in a folder whose name contains a space.
module InstalledGem
  SOURCES = "{lib,exe,libexec,ext,sig,docs,examples,man,completions,*.md,LICENSE,*.gemspec}"

  class << self
    # @param test [Frugal::TestCase] which runs the commands
    # @return [String] the folder for GEM_HOME
    def home(test)
      @home ||= install(test, Dir.mktmpdir("frugal gem ").tap { |folder| Minitest.after_run { FileUtils.rm_rf(folder) } })
    end

    # @return [String] what `gem build` printed to stderr
    attr_reader :warnings

    private

    def install(test, folder)
      FileUtils.cp_r(Dir.glob(File.join(Frugal::TestCase::ROOT, SOURCES)), source = FileUtils.mkdir(File.join(folder, "source")).first)
      FileUtils.rm_rf(Dir.glob("#{source}/lib/frugal/native/{ruby-*,*.so}"))
      @warnings = run(test, "gem", "build", "frugal.gemspec", "--output", "#{folder}/frugal.gem", chdir: source).err
      File.join(File.realpath(folder), "gem home").tap do |home|
        run(test, "gem", "install", "--local", "--no-document", "--env-shebang", "--install-dir", home, "#{folder}/frugal.gem")
      end
    end

    # The options and engine of who runs the tests are not those of users.
    def run(test, *command, **options)
      result = test.run_command(*command, env: { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => nil }, **options)
      test.assert result.success?, result
      result
    end
  end
end
