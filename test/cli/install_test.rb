# frozen_string_literal: true

# uses: bare

require_relative "../test_helper"

# What the installation of the gem does where something is missing: ext/mkrf_conf.rb, which RubyGems runs. Its folder
# is a copy with minimal extensions; the real ones are compiled in gem_test.rb.
class InstallTest < Frugal::TestCase
  SYSTEM = "/var/tmp/frugal-bare-system" # test/support/bare_system.sh makes it
  ENGINE = /\Afrugal: the C engine was not compiled \((.*)\), so frugal runs in plain Ruby\. To get it: (.*), then gem pristine frugal\n\z/

  def test_it_compiles_both_libraries_once_and_leaves_nothing
    result = install
    assert result.success?, result
    assert_empty result.err
    assert_equal %w[frugal.so recorder.so frugal.iseq].sort, Dir.children(native).sort, result
    assert_equal ["gem/ext", "gem/ext/frugal", "gem/ext/frugal_recorder", "gem/lib"].map { |folder| path(folder) },
                 Dir.glob(path("gem/{lib,ext,ext/*/}")).map { |folder| folder.chomp("/") }.sort
    sections = run_command("readelf", "--sections", "--wide", "#{native}/frugal.so").out
    refute_match(/\.debug_info|\.symtab/, sections)
  end

  def test_without_a_compiler
    assert_plain_ruby(/ is not installed/, "install a C compiler, make and the headers of Ruby", env: { "PATH" => commands("sh") })
  end

  def test_without_make
    compiler, = RbConfig::CONFIG["CC"].split
    assert_plain_ruby("make is not installed", "apt-get install gcc make libc6-dev", env: { "PATH" => commands(compiler, "sh", "apt-get") })
    assert_plain_ruby("make is not installed", "apk add gcc make musl-dev", env: { "PATH" => commands(compiler, "sh", "apk") })
    assert_plain_ruby("gmake is not installed", /make/, env: { "PATH" => commands(compiler, "sh"), "MAKE" => "gmake -s" })
  end

  # mkmf ends the process in `require "mkmf"`, before a line of extconf.rb can handle it.
  def test_without_the_headers_of_ruby
    write("no_headers.rb", 'require "rbconfig"; RbConfig::CONFIG["rubyhdrdir"] = RbConfig::CONFIG["rubyarchhdrdir"] = "/nonexistent"')
    env = { "RUBYOPT" => "-r#{path("no_headers.rb")}", "PATH" => "#{commands("apt-get")}:#{ENV["PATH"]}" }
    assert_plain_ruby("the headers of Ruby are not installed", "apt-get install gcc make libc6-dev ruby-dev", env: env)
  end

  def test_a_compiler_that_does_not_work
    copy
    FileUtils.cp(File.join(ROOT, "ext/frugal/extconf.rb"), path("gem/ext/frugal"))
    compiler, = RbConfig::CONFIG["CC"].split
    write("broken/#{compiler}", "#!/bin/sh\necho no as >&2\nexit 1\n")
    File.chmod(0o755, path("broken/#{compiler}"))
    result = assert_plain_ruby("frugal/extconf.rb failed, see gem_make.out", /./, env: { "PATH" => "#{path("broken")}:#{ENV["PATH"]}" })
    assert_includes result.out, "no as", "mkmf.log is shown"
  end

  def test_an_engine_that_does_not_compile
    copy
    write("gem/ext/frugal/frugal.c", "#error not here")
    assert_plain_ruby("it does not compile, see gem_make.out", /./)
  end

  def test_a_recorder_that_does_not_compile
    copy
    write("gem/ext/frugal_recorder/recorder.c", "#error not here")
    result = install
    assert result.success?, result
    assert_equal "frugal: the recorder of frugal profile was not compiled (it does not compile, see gem_make.out)\n", result.err
    assert_equal %w[frugal.iseq frugal.so], Dir.children(native).sort
  end

  def test_options_reach_the_compiler
    copy
    write("gem/ext/frugal_recorder/recorder.c", "#ifndef A_WORD\n#error without it\n#endif\nint recorder = 1;\n")
    assert_equal "", install("--with-cflags=-fPIC -DA_WORD=1").err
  end

  # RubyGems runs rake after mkrf_conf.rb; its own message would name neither the reason nor the cure.
  def test_without_rake
    without = "def find_all_by_name(name, *) = name == 'rake' ? [] : super"
    write("no_rake.rb", "Gem::Specification.singleton_class.prepend(Module.new { #{without} }) if defined?(Gem)")
    result = install(env: { "RUBYOPT" => "-r#{path("no_rake.rb")}", "PATH" => commands("sh") })
    assert_equal 1, result.exitstatus
    assert_equal "frugal: RubyGems needs rake to install this gem: gem install rake\n", result.out
    assert_empty Dir.glob("#{native}/*")
  end

  def test_in_a_system_without_a_compiler
    skip "only root can chroot" unless Process.euid.zero?
    skip "no #{SYSTEM}: run bin/setup --bare" unless File.executable?("#{SYSTEM}/usr/bin/ruby")
    in_the_system do |folder, run|
      built = run_command("gem", "build", "frugal.gemspec", "--output", "#{folder}/frugal.gem", chdir: ROOT)
      assert built.success?, built
      installed = run.call("gem install --local --no-document frugal.gem")
      assert installed.success?, installed
      assert_match ENGINE, installed.err
      assert_equal "apt-get install gcc make libc6-dev ruby-dev", installed.err[ENGINE, 2]
      assert_equal "frugal #{Frugal::VERSION}\n", run.call("frugal --version").out
      engine = run.call("ruby -w -rfrugal -e 'print Frugal::Native.engine_name, Frugal.mtime(%(/etc/passwd)).class'")
      assert_equal ["pureTime", ""], [engine.out, engine.err], engine
      File.write("#{folder}/Rakefile", "file('b' => 'a') { touch 'b' }\nfile('a') { touch 'a' }\ntask default: 'b'\n")
      build = run.call("FRUGAL_VERBOSE=1 frugal run -- rake")
      assert_match(/^frugal: rake \S+: on \(pure\)$/, build.err, build)
      assert_path_exists "#{folder}/b"
      assert_match(/^  engine +pure /, run.call("frugal doctor").out)
      assert_includes run.call("frugal walk /etc/apt").out, "/etc/apt/sources.list"
      assert_includes run.call("frugal profile --recorder ruby -- ruby -e 'File.stat(%(/etc))'").err, "file call"
    end
  end

  private

  def native = path("gem/lib/frugal/native/#{Frugal::Platform::ABI}")

  # @return [Result] of mkrf_conf.rb, called as RubyGems does: with its output in a pipe, and of a parent with a stderr
  def install(*arguments, env: {})
    copy
    code = "require 'open3'; out, status = Open3.capture2e(*ARGV); print out; exit(status.exitstatus)"
    run_command(RUBY, "--disable=gems", "-e", code, RUBY, "mkrf_conf.rb", *arguments, chdir: path("gem/ext"), env: { "MAKEFLAGS" => nil, **env })
  end

  def assert_plain_ruby(problem, remedy, env: {})
    result = install(env: env)
    assert result.success?, result
    assert_match ENGINE, result.err, result
    assert_operator problem, :===, result.err[ENGINE, 1]
    assert_operator remedy, :===, result.err[ENGINE, 2]
    assert_equal %w[frugal.iseq], Dir.children(native), result
    refute_path_exists path("gem/ext/build")
    result
  end

  # Without the checks of mkmf, each of which runs the compiler.
  def copy
    return if File.exist?(path("gem"))

    FileUtils.mkdir_p([mkdir("gem/ext/frugal/core"), mkdir("gem/ext/frugal_recorder")])
    files = Dir.glob("{ext/*.rb,ext/Rakefile,ext/frugal/*.rb,ext/frugal_recorder/*.rb}", base: ROOT)
    files.each { |file| File.write(path("gem/#{file}"), File.readlines(File.join(ROOT, file)).grep_v(/^have_|try_cflags/).join) }
    FileUtils.cp_r(File.join(ROOT, "lib"), path("gem"))
    FileUtils.rm_rf(Dir.glob(path("gem/lib/frugal/native/{ruby-*,ready.so}")))
    write("gem/ext/frugal/frugal.c", "#include <ruby.h>\nRUBY_FUNC_EXPORTED void Init_frugal(void) { rb_str_new_cstr(\"\"); }\n")
    write("gem/ext/frugal_recorder/recorder.c", "int recorder(void);\nint recorder(void) { return 0; }\n")
  end

  # A folder for PATH. What is no command here exists, but does nothing.
  def commands(*names)
    folder = mkdir("commands #{names.join(" ")}")
    names.each do |name|
      found = ENV["PATH"].split(":").map { |one| File.join(one, name) }.find { |file| File.file?(file) }
      found ? symlink(found, "#{File.basename(folder)}/#{name}") : write("#{File.basename(folder)}/#{name}", "").then { |file| File.chmod(0o755, file) }
    end
    folder
  end

  # The block gets a folder of the system, and what runs a line of shell there. The mount ends with the line.
  def in_the_system
    folder = Dir.mktmpdir("frugal ", "#{SYSTEM}/tmp")
    inside = folder.delete_prefix(SYSTEM)
    outside = ENV.keys.grep(/\A(?:GEM_|BUNDLE|RUBY|FRUGAL)/).to_h { |name| [name, nil] }
    env = { **outside, "GEM_HOME" => "#{inside}/home", "PATH" => "#{inside}/home/bin:/usr/bin:/bin", "HOME" => inside }
    yield folder, lambda { |line|
      script = "mount -t proc proc /proc && cd \"$HOME\" && #{line}"
      run_command("/usr/bin/unshare", "--mount", "/usr/sbin/chroot", SYSTEM, "/bin/sh", "-c", script, env: env)
    }
  ensure
    FileUtils.rm_rf(folder) if folder
  end
end
