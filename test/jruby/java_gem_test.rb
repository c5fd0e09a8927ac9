# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../../rakelib/lib/packages"
require_relative "jruby_case"

# The two gems that JRuby can install.
class JavaGemTest < JRubyCase
  def test_the_gem_of_the_platform_java_has_the_jar_and_no_extension
    gem = Packages.new(ROOT, path("pkg")).build_java
    spec = Gem::Package.new(gem).spec
    assert_equal ["java", []], [spec.platform.to_s, spec.extensions]
    assert_includes spec.files, "lib/frugal/native.jar"
    assert_empty spec.files.grep(%r{\Aext/|\.(?:so|iseq)\z})
    assert_equal [":java", ""], engine_of(gem)
  end

  # Its extensions are MRI's, so nothing is compiled.
  def test_the_gem_with_the_source_installs_and_is_plain_ruby
    gem = Packages.new(ROOT, path("pkg")).build
    assert_empty Gem::Package.new(gem).spec.files.grep(/\.jar\z/)
    assert_equal [":pure", ""], engine_of(gem)
  end

  def test_a_missing_jar_is_no_gem
    error = assert_raises(Packages::Missing) { Packages.new(tree, path("pkg")).build_java }
    assert_equal "there is no lib/frugal/native.jar: run `bin/setup --jruby`", error.message
  end

  private

  # JRuby starts itself to look at the extensions of a gem. RubyGems takes the command for one path, so JRuby cannot be the
  # usual `java -cp JARS org.jruby.Main` of these tests: it is a script, as in an installed JRuby.
  #
  # @return [Array(String, String)] what JRuby prints that has installed the gem, and its warnings
  def engine_of(gem)
    jars = path("jars")
    FileUtils.cp_r(ENV["JRUBY_JARS"] || "#{ROOT}/tmp/jruby/lib", jars)
    script = write("jruby", "#!/bin/sh\nexec '#{JRUBY}' \"$@\"\n")
    File.chmod(0o755, script)
    write("script.rb", "Gem.instance_variable_set(:@ruby, #{script.dump})\n")
    installed = run_command(JRUBY, "-r", path("script.rb"), "-S", "gem", "install", "--no-document", "--local", "--install-dir", path("gems"), gem,
                            env: environment(JRUBY_JARS: jars))
    assert installed.success?, installed
    lib = Dir.glob(path("gems/gems/frugal-*/lib")).fetch(0)
    result = run_jruby("-w", "-e", "print Frugal::Native.engine_name.inspect", lib: lib)
    [result.out, result.err]
  end
end
