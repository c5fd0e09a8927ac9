# frozen_string_literal: true

require_relative "../test_helper"
require_relative "jruby_case"

# The Java engine with names of any bytes, faults, waits and many calls, see hostile.rb; and what it does where it
# cannot work.
class JavaNamesTest < JRubyCase
  NAMES = ["a\xFF", "\xC3", "ü", "日本", "sp ace", "new\nline", "wow!", "a:b", "uri:", "#"].map(&:b).freeze

  %w[C.UTF-8 C].each do |locale|
    define_method("test_with_the_locale_#{locale}") do
      folder = mkdir("tree")
      NAMES.each { |name| File.write("#{folder.b}/#{name}", name) && File.utime(7, 7, "#{folder.b}/#{name}") }
      result = run_jruby("#{__dir__}/hostile.rb", folder, env: { LC_ALL: locale })
      assert_equal "done\n", result.out, result
    end
  end

  PRINTS = "print [Frugal::Native.engine_name, Frugal::Native.engine.respond_to?(:tier) && Frugal::Native.engine.tier, " \
           'Frugal.mtime("/nix"), Frugal.type("/"), Frugal.read("/nix/x"), Frugal.mtimes(["/nix"])].inspect'

  # RbConfig, which names Ruby's folder, is then not loaded.
  def test_drop_ins_without_rubygems
    result = run_jruby("--disable=gems", "-rfrugal/find", "-rfrugal/pstore", "-e", <<~RUBY)
      states = Frugal::Dropin.status.to_h { |one| [one.name, one.state] }
      print [defined?(RbConfig), states.values_at(:find, :pstore)].inspect
    RUBY
    assert_equal ["[nil, [:on, :on]]", ""], [result.out, result.err], result
  end

  def test_the_portable_tier
    result = run_jvm("-J-Djruby.native.enabled=false", "-rjruby", "-e",
                     "before = JRuby.runtime.getExceptionCount; #{PRINTS}; print JRuby.runtime.getExceptionCount - before")
    assert_equal ['[:java, :portable, nil, "directory", nil, [nil]]0', ""], [result.out, result.err], result
  end

  def test_a_jar_that_does_not_load
    copy = mkdir("copy")
    FileUtils.cp_r(LIB, copy)
    File.binwrite(File.join(copy, "lib/frugal/native.jar"), "PK nonsense")
    result = run_jruby("-w", "-e", PRINTS, lib: "#{copy}/lib")
    assert_equal '[:pure, false, nil, "directory", nil, [nil]]', result.out, result
    assert_match(/\Afrugal: the Java engine is not used, as it does not load: .*native\.jar: .*\n\z/, result.err)
  end
end
