# frozen_string_literal: true

# needs: jruby

require_relative "jvm"

# A test that MRI runs, and that starts JRuby with the Java engine. It is skipped where JRuby or the jar is not there.
class JRubyCase < Frugal::TestCase
  JRUBY = File.expand_path("../support/jruby", __dir__)
  # The JVM reads the limits of its container now and then, between the system calls that a test counts.
  NO_CGROUPS = "-J-XX:-UseContainerSupport"

  def setup
    jars = ENV["JRUBY_JARS"] || File.join(ROOT, "tmp/jruby/lib")
    return if File.directory?(jars) && File.exist?(File.join(LIB, "frugal/native.jar"))

    skip "there is no JRuby, or no JDK to compile the Java engine: bin/setup --jruby"
  end

  private

  # Without the gems and options of this Ruby.
  def environment(**more)
    { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "GEM_HOME" => nil, "GEM_PATH" => nil,
      "FRUGAL_ENGINE" => nil, "LC_ALL" => "C.UTF-8", **more.transform_keys(&:to_s) }
  end

  # Runs a script with frugal in a runtime of its own, in a JVM that other tests use, too.
  #
  # @return [Result]
  def run_jruby(*arguments, lib: LIB, env: {}, chdir: tree)
    arguments = ["-W0", "-I", lib, "-rfrugal", *arguments]
    variables = ENV.to_h.merge(environment(**env)).compact
    status, out, err = JVM.of(variables.fetch("LC_ALL")).run(arguments, variables, chdir)
    Result.new([JRUBY, *arguments], *[out, err].map { |text| text.force_encoding("UTF-8") }, RuntimeStatus.new(status))
  end

  # Runs a script with frugal in a JVM of its own, which takes seconds.
  #
  # @return [Result]
  def run_jvm(*arguments, env: {}, **options)
    run_command(JRUBY, "-W0", "-I", LIB, "-rfrugal", *arguments, env: environment(**env), **options)
  end
end
