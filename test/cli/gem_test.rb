# frozen_string_literal: true

require_relative "../test_helper"

# The gem as a user gets it: built without git, installed into a folder whose
# name has a space, compiled there.
class GemTest < Frugal::TestCase
  def test_builds_installs_and_runs
    FileUtils.cp_r(Dir.glob(File.join(ROOT, "{lib,exe,libexec,ext,sig,docs,bench,*.md,LICENSE,*.gemspec}")), mkdir("source"))
    FileUtils.rm_rf(Dir.glob(path("source/lib/frugal/native/{ruby-*,*.so}")))
    built = run_command("gem", "build", "--strict", "frugal.gemspec", "--output", path("frugal.gem"), chdir: path("source"))
    assert built.success?, built
    refute_includes built.err, "WARNING"

    home = mkdir("gem home")
    installed = run_command("gem", "install", "--local", "--no-document", "--install-dir", home, path("frugal.gem"))
    assert installed.success?, installed

    result = run_command(RUBY, "-w", "-rfrugal", "-e", "print Frugal::Native.engine_name, ' ', $LOADED_FEATURES.grep(/frugal.rb/)[0]",
                         env: { "GEM_HOME" => home, "RUBYLIB" => nil, "FRUGAL_ENGINE" => nil }, chdir: tree)
    assert_equal ["c #{home}/gems/frugal-#{Frugal::VERSION}/lib/frugal.rb", ""], [result.out, result.err], result
    lib = "#{home}/gems/frugal-#{Frugal::VERSION}/lib/frugal/"
    assert_equal lib, File.open("#{lib}native/#{Frugal::Native::ABI}/frugal.iseq", &:readline)[/ (\S*#{Regexp.escape(tree)}.*)/, 1]
    version = run_command(File.join(home, "bin/frugal"), "--version", env: { "GEM_HOME" => home })
    assert_equal "frugal #{Frugal::VERSION}\n", version.out, version
  end

  def test_its_specification
    spec = Gem::Specification.load(File.join(ROOT, "frugal.gemspec"))
    assert_equal "true", spec.metadata["rubygems_mfa_required"]
    assert_empty spec.runtime_dependencies
    assert_equal Gem::Requirement.new(">= 3.1"), spec.required_ruby_version
    assert_empty spec.files.grep(/\.(so|o|bundle|iseq)\z|\Atmp|\Atest/)
    assert_includes spec.files, "ext/frugal/core/stat_batch.c"
  end
end
