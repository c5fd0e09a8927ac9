# frozen_string_literal: true

# uses: jruby

require_relative "../test_helper"

# Runs bin/setup in a separate checkout, whose path contains a space. PATH has the commands that
# the script and the compiler may call, except strace, and an apt-get that records its arguments.
# The extensions there are minimal, since the same script has compiled the real ones before this test.
class SetupTest < Frugal::TestCase
  APT = "install -y --no-install-recommends -o DPkg::Lock::Timeout=120"

  def setup
    @checkout = mkdir("check out")
    FileUtils.mkdir_p([File.join(@checkout, "bin"), mkdir("bin")])
    FileUtils.cp(File.join(ROOT, "bin/setup"), File.join(@checkout, "bin"))
    extension
    tools.each { |tool| File.symlink(tool, path("bin/#{File.basename(tool)}")) }
  end

  def test_installs_what_is_missing_compiles_and_then_is_silent
    apt_get "printf '#!/bin/sh' >#{path("bin/strace")}; chmod +x #{path("bin/strace")}"
    first = set_up
    assert first.success?, first
    assert_equal ["frugal: installing strace (2 packages, 0.3 MB to fetch)", "frugal: compiling the C extension"], first.err.lines(chomp: true)
    assert_equal ["#{APT} strace"], installed
    assert_equal 1, libraries.size

    before = File.mtime(libraries.first)
    second = set_up
    assert second.success?, second
    assert_empty second.out + second.err
    assert_equal before, File.mtime(libraries.first)
    assert_equal 1, installed.size
  end

  # Does not install what only tests and benchmarks need.
  def test_what_running_needs
    apt_get "ln -s #{File.realpath(path("bin/make"))} #{path("bin/make")}"
    %w[valgrind wrk ninja make].each { |name| FileUtils.rm_f(path("bin/#{name}")) }
    result = set_up("--run")
    assert result.success?, result
    assert_equal ["#{APT} make"], installed
    assert_equal 1, libraries.size
    assert_empty set_up("--run").err
  end

  def test_a_user_gets_the_command_for_root
    apt_get "true"
    fake "id", "echo 1000"
    FileUtils.rm_f([path("bin/sudo"), path("bin/ruby")])
    result = set_up("--run")
    assert_equal 69, result.exitstatus, result
    assert_equal "frugal: some packages are missing; root can install them:\n" \
                 "frugal:   apt-get install --no-install-recommends ruby ruby-dev\n", result.err
    FileUtils.cp_r(File.join(ROOT, "libexec"), @checkout)
    launched = run_command(File.join(@checkout, "libexec/frugal-run"), "demo", env: { "PATH" => path("bin") })
    assert_equal [69, "", result.err], [launched.exitstatus, launched.out, launched.err]
  end

  def test_a_long_step_reports_its_time
    apt_get "sleep 6"
    result = set_up
    assert_equal "frugal:   … 5 s", result.err.lines(chomp: true)[1]
  end

  def test_updates_the_package_lists_only_if_needed
    apt_get ":", lists: path("updated")
    result = set_up
    assert_match(/^frugal: installing strace \(2 packages, 0\.3 MB to fetch\)$/, result.err)
    assert_equal %w[install update install install], asked.map { |line| line.split.first }
  end

  # The packages of all parts in one call, beside the gems; and each alone if apt does not have one of them.
  def test_parts_are_installed_at_once
    %w[zsh fish mandoc valgrind].each { |name| FileUtils.rm_f(path("bin/#{name}")) }
    fake "gem", 'into=$4; shift 4; for gem; do mkdir -p "$into/gems/${gem%:*}-${gem##*:}"; done'
    apt_get "for name; do [ $name != mandoc ] || exit 100; done; for name; do ln -s /bin/true #{path("bin")}/$name; done 2>/dev/null; :"
    result = set_up("--valgrind", "--rakes", "--shells")
    assert result.success?, result
    assert_equal ["valgrind zsh fish mandoc", "valgrind", "zsh", "fish", "mandoc"], installed.map { |line| line.delete_prefix("#{APT} ") }
    assert_match(/^frugal: fetching rake:13\.0\.6 .* for the tests$/, result.err)
    assert_equal "frugal: apt-get could not install mandoc (see tmp/setup.log)\n", result.err.lines.last
    result = set_up("--valgrind", "--rakes", "--shells")
    assert_equal "frugal: installing mandoc (2 packages, 0.3 MB to fetch)\n", result.err.lines.first
  end

  # Each part has its packages, its gems, or both.
  def test_every_part_has_a_step
    script = File.read(File.join(ROOT, "bin/setup"))
    steps = script.scan(/^(?:packages_for|fetch|finish)_(\w+)\(\)/).flatten.uniq - %w[jars]
    assert_equal script[/^all_parts="(.*)"$/, 1].split.sort, steps.sort
    assert_equal steps.sort, script[/\A.*?^set /m].scan(%r{^#   bin/setup --(\w+)}).flatten.sort - %w[test run compile]
  end

  def test_reports_missing_packages_without_apt
    result = set_up
    assert result.success?, result # strace is not needed to run
    assert_match(/please install these packages, or those of your system with the same content: strace$/, result.err)
    assert_equal 1, libraries.size
    assert_empty set_up.err # reported once
  end

  def test_compiles_again_only_if_a_source_is_newer
    set_up("--compile")
    before = File.mtime(libraries.first)
    assert_empty set_up("--compile").err
    assert_equal before, File.mtime(libraries.first)

    source = File.join(@checkout, "ext/frugal/core/any/answer.h")
    File.utime(Time.now + 5, Time.now + 5, source)
    assert_equal "frugal: compiling the C extension\n", set_up("--compile").err
  end

  # As after an upgrade of the system.
  def test_another_ruby_at_the_same_path
    apt_get "printf '#!/bin/sh' >#{path("bin/strace")}; chmod +x #{path("bin/strace")}"
    set_up
    File.unlink(path("bin/ruby"))
    fake "ruby", %(exec #{RUBY} -W0 -r#{write("upgrade.rb", 'RUBY_VERSION = "9.9.0"')} "$@")
    assert_includes set_up.err, "frugal: compiling the C extension\n"
    assert_equal 2, libraries.size
    assert_empty set_up.err
  end

  # Version managers start the Ruby that .ruby-version names.
  def test_another_ruby_named_by_the_checkout
    apt_get "printf '#!/bin/sh' >#{path("bin/strace")}; chmod +x #{path("bin/strace")}"
    File.unlink(path("bin/ruby"))
    named = File.join(@checkout, ".ruby-version")
    other = write("upgrade.rb", 'RUBY_VERSION = "9.9.0"')
    fake "ruby", %([ "$(cat "#{named}")" != 9.9.0 ] || exec #{RUBY} -W0 -r#{other} "$@"; exec #{RUBY} "$@")
    File.write(named, "#{RUBY_VERSION}\n")
    set_up
    assert_empty set_up.err
    File.write(named, "9.9.0\n")
    assert_includes set_up.err, "frugal: compiling the C extension\n"
    assert_equal 2, libraries.size
    assert_empty set_up.err
  end

  def test_fetches_the_tools_that_the_gemfile_names
    FileUtils.cp(File.join(ROOT, "Gemfile"), @checkout)
    FileUtils.rm_f([path("bin/npm"), path("bin/clang-format"), path("bin/clang-format-14")])
    fake "gem", 'into=$4; shift 4; for gem; do mkdir -p "$into/gems/${gem%:*}-${gem##*:}"; done'
    first = set_up("--tools")
    assert_match(/^frugal: fetching redcarpet:[\d.]+ rubocop:[\d.]+ yard:[\d.]+ for rake lint and rake docs\n/, first.err)
    assert_match(/^frugal: clang-format is not installed: the style of C is not checked$/, first.err)
    refute_match(/fetching/, set_up("--tools").err)
    assert_equal 1, asked.size
  end

  # Neither --help nor wrong usage installs, compiles or runs anything.
  def test_help_and_wrong_usage
    { "setup" => /^Prepares a checkout.*--jruby/m, "test" => %r{\ARuns tests.*bin/test --all.*bin/test test/unit}m }.each do |name, words|
      help = run_command("#{ROOT}/bin/#{name}", "--help")
      assert_equal 0, help.exitstatus
      assert_match words, help.out
    end
    wrong = run_command("#{ROOT}/bin/setup", "--jrubby")
    assert_equal 2, wrong.exitstatus
    assert_match(%r{\Ausage: bin/setup .* --jruby}, wrong.err)
  end

  def test_reports_why_it_does_not_compile
    File.write(File.join(@checkout, "ext/frugal/core/any/broken.c"), "int broken(void) { return nonsense; }\n")
    result = set_up("--compile")
    assert_equal 1, result.exitstatus
    assert_includes result.err, "nonsense"
    assert_empty libraries
    assert_empty Dir.glob(File.join(@checkout, "tmp/build.*"))
  end

  def test_starts_no_process_when_there_is_nothing_to_do
    skip "strace is not installed" unless Cost::Strace.available?

    setup = File.join(ROOT, "bin/setup")
    run_command(setup, "--test")
    log = path("processes")
    result = run_command("strace", "-f", "-qq", "-e", "trace=execve", "-o", log, setup, "--test")
    assert result.success?, result
    assert_equal 1, File.readlines(log).grep(/ = 0$/).size, File.read(log)
  end

  def test_fetches_jruby_once_and_compiles_the_java_engine
    skip "there is no JDK" unless %w[javac jar].all? { |name| File.exist?(path("bin/#{name}")) }

    java_source
    fake "gem", "mkdir -p $4/gems/$5-$7/lib && : >$4/gems/$5-$7/lib/jruby-stdlib-$7.jar"
    first = set_up("--jruby")
    assert_match(/\Afrugal: fetching JRuby 9\.4\.\d+\.\d+ for the tests\nfrugal: compiling the Java engine\n\z/, first.err)
    assert_equal 1, Dir.glob(File.join(@checkout, "tmp/jruby/lib/jruby-stdlib-9.4.*.jar")).size
    assert_equal %w[javac.log jruby setup.log], Dir.children(File.join(@checkout, "tmp")).sort
    assert_path_exists File.join(@checkout, "lib/frugal/native.jar")
    assert_empty set_up("--jruby").err
    assert_equal 1, asked.size
    java_source(Time.now + 1)
    assert_equal "frugal: compiling the Java engine\n", set_up("--jruby").err
  end

  def test_takes_the_jars_of_jruby_from_a_directory
    skip "there is no JDK" unless %w[javac jar].all? { |name| File.exist?(path("bin/#{name}")) }

    java_source
    result = set_up("--jruby", env: { "JRUBY_JARS" => mkdir("jars") })
    assert_equal "frugal: compiling the Java engine\n", result.err
    refute_path_exists File.join(@checkout, "tmp/jruby")
  end

  def test_reports_why_the_java_engine_does_not_compile
    skip "there is no JDK" unless %w[javac jar].all? { |name| File.exist?(path("bin/#{name}")) }

    File.write(java_source, "package frugal; final class Any { int broken() { return nonsense; } }\n")
    result = set_up("--jruby", env: { "JRUBY_JARS" => mkdir("jars") })
    assert_equal 1, result.exitstatus
    assert_includes result.err, "nonsense"
    assert_equal %w[javac.log], Dir.children(File.join(@checkout, "tmp"))
  end

  def test_fetches_servers_and_frameworks_once
    fake "gem", 'into=$5; shift 5; for gem; do mkdir -p "$into/gems/${gem%:*}-${gem##*:}"; done'
    first = set_up("--webs")
    assert_equal "frugal: fetching Puma, Rack, Rails, Sinatra and Roda for the tests\n", first.err, first
    gems = Dir.glob(File.join(@checkout, "tmp/webs/*/gems/*"))
    %w[puma rack sinatra roda railties].each { |name| assert(gems.any? { |gem| File.basename(gem).match?(/\A#{name}-\d/) }, name) }
    assert_empty set_up("--webs").err
    Dir.rmdir(gems.grep(/puma/).first)
    set_up("--webs")
    assert_match(/ puma:[\d.]+\z/, asked.last)
    assert_equal 2, asked.size
  end

  def test_installs_a_browser_or_skips_its_tests
    %w[chromium chromium-browser google-chrome].each { |name| FileUtils.rm_f(path("bin/#{name}")) }
    result = set_up("--browser")
    assert_equal [0, "frugal: please install these packages, or those of your system with the same content: chromium\n" \
                     "frugal: then run bin/setup again\n" \
                     "frugal: Chromium is not installed: the tests of the page of a profile are skipped\n"], [result.exitstatus, result.err]

    apt_get "ln -s /bin/true #{path("bin/chromium")}"
    assert_equal "frugal: installing chromium (2 packages, 0.3 MB to fetch)\n", set_up("--browser").err
    assert_equal ["#{APT} chromium"], installed
    assert_empty set_up("--browser").err
  end

  def test_installs_java_or_skips_jruby
    FileUtils.rm(path("bin/java")) if File.symlink?(path("bin/java"))
    fake "gem", "mkdir -p $4/gems/$5-$7/lib && : >$4/gems/$5-$7/lib/jruby-stdlib-$7.jar"
    result = set_up("--jruby")
    assert result.success?, result
    assert_equal "frugal: Java is not installed: the tests under JRuby are skipped\n", result.err.lines.last

    apt_get "false"
    assert_match(/^frugal: Java is not installed: /, set_up("--jruby").err)
    assert_includes asked, "#{APT} default-jdk-headless"
  end

  private

  # @return [String] the path of a source of the Java engine
  def java_source(time = Time.now - 60)
    FileUtils.mkdir_p(File.join(@checkout, "ext/java/frugal"))
    FileUtils.mkdir_p(File.join(@checkout, "lib/frugal/native"))
    File.join(@checkout, "ext/java/frugal/Any.java").tap do |source|
      File.write(source, "package frugal; final class Any { }\n")
      File.utime(time, time, source)
    end
  end

  def extension
    FileUtils.mkdir_p(%w[ext/frugal/core/any ext/frugal_recorder].map { |folder| File.join(@checkout, folder) })
    %w[ext/units.rb ext/frugal/extconf.rb ext/frugal/bytecode.rb ext/frugal_recorder/extconf.rb].each do |file|
      lines = File.readlines(File.join(ROOT, file))
      File.write(File.join(@checkout, file), lines.grep_v(/^have_|try_cflags/).join) # each of these runs the compiler
    end
    FileUtils.cp_r(File.join(ROOT, "ext/frugal_launcher"), File.join(@checkout, "ext"))
    FileUtils.cp_r(File.join(ROOT, "libexec"), @checkout) # where the path has white space, the launcher needs the script
    write("check out/ext/frugal_recorder/recorder.c", "int recorder(void);\nint recorder(void) { return 0; }\n")
    FileUtils.cp_r(File.join(ROOT, "lib"), @checkout)
    FileUtils.rm_rf(Dir.glob(File.join(@checkout, "lib/frugal/{native.jar,native/ruby-*,native/ready.so}")))
    write("check out/ext/frugal/frugal.c",
          "#include \"core/any/answer.h\"\n__attribute__((visibility(\"default\"))) void Init_frugal(void) { answer(); }\n")
    write("check out/ext/frugal/core/any/answer.h", "int answer(void);\n")
    write("check out/ext/frugal/core/any/answer.c", "#include \"core/any/answer.h\"\nint answer(void) { return 0; }\n")
  end

  # All words of the script and of Ruby's configuration that name a command.
  def tools
    words = [File.read(File.join(ROOT, "bin/setup")), *RbConfig::CONFIG.values, "as ld chmod cat"].flat_map { |text| text.scan(/[\w.+-]+/) }
    names = words.uniq - %w[strace apt-get sudo]
    names.filter_map { |name| ENV["PATH"].split(":").map { |folder| "#{folder}/#{name}" }.find { |file| File.file?(file) } }
  end

  # With --test, as bin/test calls it, unless there are other options.
  def set_up(*options, env: {})
    options = ["--test"] if options.empty?
    run_command(File.join(@checkout, "bin/setup"), *options, env: { "PATH" => path("bin"), **env })
  end

  # @param lists [String] a file that an update creates, and without which apt does not know the packages
  def apt_get(does, lists: ROOT)
    fake "apt-get", <<~SH
      case "$*" in
        update) : >"#{lists}"; exit ;;
        *--print-uris*) [ -e "#{lists}" ] || exit 100; echo "'http://one' one.deb 100000 SHA256"; echo "'http://two' two.deb 200000 SHA256"; exit ;;
      esac
      #{does}
    SH
    File.write(path("bin/sudo"), "#!/bin/sh\n[ \"$1\" != -n ] || shift\nexec \"$@\"\n", perm: 0o755)
  end

  # Creates a command that records its arguments.
  def fake(command, does)
    FileUtils.rm_f(path("bin/#{command}")) # not what it links to
    File.write(path("bin/#{command}"), "#!/bin/sh\necho \"$*\" >>#{path("asked")}\n#{does}\n", perm: 0o755)
  end

  def asked = File.readlines(path("asked"), chomp: true)
  def installed = asked.grep(/\Ainstall -y/)

  def libraries = Dir.glob(File.join(@checkout, "lib/frugal/native/*/frugal.{so,bundle}"))
end
