# frozen_string_literal: true

require_relative "../test_helper"
require "rubygems/package"
require_relative "../support/installed_gem"
require_relative "../../rakelib/lib/packages"

# The gem as users get it: see {InstalledGem}.
class GemTest < Frugal::TestCase
  def test_builds_installs_and_runs
    home = InstalledGem.home(self)
    assert_empty Packages.warnings(InstalledGem.warnings)
    result = run_command(RUBY, "-w", "-rfrugal", "-e", "print Frugal::Native.engine_name, ' ', $LOADED_FEATURES.grep(/frugal.rb/)[0]",
                         env: { "GEM_HOME" => home, "RUBYLIB" => nil, "FRUGAL_ENGINE" => nil }, chdir: tree)
    assert_equal ["c #{home}/gems/frugal-#{Frugal::VERSION}/lib/frugal.rb", ""], [result.out, result.err], result
    lib = "#{home}/gems/frugal-#{Frugal::VERSION}/lib/frugal/"
    assert_equal lib, File.open("#{lib}native/#{Frugal::Platform::ABI}/frugal.iseq", &:readline)[/ (\S*#{Regexp.escape(home)}.*)/, 1]
    version = run_command(File.join(home, "bin/frugal"), "--version", env: { "GEM_HOME" => home })
    assert_equal "frugal #{Frugal::VERSION}\n", version.out, version
    # Nothing stays behind in the folder where it was compiled, and each library is installed once.
    left = Dir.glob("#{home}/gems/*/ext/**/*").select { |file| File.file?(file) }.grep_v(/\.(?:c|h|rb)\z/)
    assert_equal %w[Rakefile], left.map { |file| File.basename(file) }
    assert_equal %w[frugal.so recorder.so], Dir.glob("#{home}/**/*.so").map { |file| File.basename(file) }.sort
    assert_operator Dir.glob("#{home}/**/*.so").sum { |file| File.size(file) }, :<, 1_000_000, "without debug information"
  end

  # Neither benchmarks nor what only contributors read; but all that the other commands need.
  def test_it_holds_what_users_need_and_nothing_else
    files = Gem::Specification.load(File.join(ROOT, "frugal.gemspec")).files
    assert_equal files.uniq, files
    assert_empty files.grep_v(%r{\A(?:lib|exe|libexec|ext|sig|docs|man|completions|examples/document-tree)/|\A[A-Z]+(?:\.md)?\z})
    assert_empty files.grep(%r{results/|\Adocs/adr|CONTRIBUTING|/\.|\.(?:so|bundle|o|iseq|class)\z|frugal-bench-})
    files.each { |file| copy_of_the_gem(file) }
    bench = run_command(path("gem files/exe/frugal"), "bench", "rake")
    assert_equal ["frugal: the benchmarks are not part of the gem\n" \
                  "frugal: next: git clone https://github.com/frugal-rb/frugal, and bin/frugal bench there\n", 1],
                 [bench.err, bench.exitstatus]
    assert_match(/^usage: frugal bench/, run_command(path("gem files/exe/frugal"), "bench", "--help").out)
    %w[Rakefile generate.rb layout.html].each { |file| assert_path_exists path("gem files/examples/document-tree/#{file}") }
  end

  # A relative link leads to a file of the gem. What is only in a checkout is linked by its URL, and exists there.
  def test_links_in_its_documents
    files = Gem::Specification.load(File.join(ROOT, "frugal.gemspec")).files
    links = files.grep(/\.md\z/).grep_v(%r{/pages/}).flat_map do |file|
      File.read(File.join(ROOT, file)).scan(/\]\(([^)\s]+)\)|(?:href|src)="([^"]+)"/).flatten.compact.map { |link| [file, link] }
    end
    refute_empty links
    bad = links.reject { |file, link| link.match?(/\A(?:[a-z]+:|#)/) || files.include?(target(file, link)) || link == "examples/document-tree" }
    assert_empty bad
    home = %r{\Ahttps://github\.com/frugal-rb/frugal/(?:blob|tree|raw)/main/([^#]+)}
    outside = links.filter_map { |_, link| link[home, 1] }
    refute_empty outside
    assert_empty outside.reject { |path| File.exist?(File.join(ROOT, path)) }
  end

  def test_rake_build_needs_no_git
    files = Gem::Specification.load(File.join(ROOT, "frugal.gemspec")).files
    [*files, "frugal.gemspec", "Rakefile", *Dir.glob("rakelib/**/*.r*", base: ROOT)].each { |file| copy_of_the_gem(file) }
    built = run_command(RUBY, Gem.bin_path("rake", "rake"), "build", chdir: path("gem files"), env: { "PATH" => mkdir("no git"), "RUBYOPT" => nil })
    gem = path("gem files/pkg/frugal-#{Frugal::VERSION}.gem")
    assert_equal ["#{gem}\n", "", 0], [built.out, built.err, built.exitstatus], built
    assert_equal files.sort, Gem::Package.new(gem).contents.sort
  end

  def test_rake_release_check_fails_for_a_gem_that_does_not_work
    write("broken/frugal.gemspec", 'Gem::Specification.new("frugal", "0.0.1") { |spec| spec.summary = spec.author = "x"; spec.files = [] }')
    built = run_command("gem", "build", "frugal.gemspec", "--force", "--output", path("broken.gem"), chdir: path("broken"))
    assert built.success?, built
    result = run_command(RUBY, Gem.bin_path("rake", "rake"), "release:check", "GEM=#{path("broken.gem")}", chdir: ROOT, env: { "RUBYOPT" => nil })
    assert_equal 1, result.exitstatus, result
    assert_match(/^install +ok\nlibrary +FAILED: .*frugal --version +FAILED: /m, result.out)
    assert_equal "rake release:check: failed\n", result.err
  end

  def test_its_specification
    spec = Gem::Specification.load(File.join(ROOT, "frugal.gemspec"))
    assert_equal "true", spec.metadata["rubygems_mfa_required"]
    assert_empty spec.runtime_dependencies
    assert_equal Gem::Requirement.new(">= 3.1"), spec.required_ruby_version
    assert_empty spec.files.grep(/\.(so|o|bundle|iseq)\z|\Atmp|\Atest/)
    assert_includes spec.files, "ext/frugal/core/probe/stat_batch.c"
    %w[man/man1/frugal-run.1 completions/frugal.bash completions/_frugal completions/frugal.fish].each do |file|
      assert_includes spec.files, file
    end
  end

  private

  def target(file, link) = File.expand_path(link.sub(/#.*/, ""), "/#{File.dirname(file)}").delete_prefix("/")

  def copy_of_the_gem(file)
    FileUtils.mkdir_p(File.dirname(path("gem files/#{file}")))
    FileUtils.cp(File.join(ROOT, file), path("gem files/#{file}"), preserve: true)
  end
end
