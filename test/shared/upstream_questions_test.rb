# frozen_string_literal: true

require_relative "../test_helper"

# The methods that drop-ins use in addition to the probes, with every engine.
class UpstreamQuestionsTest < Frugal::TestCase
  ENGINE = Frugal::Native.engine

  def test_binread
    [0, 1, 5000, 70_000].each do |size|
      file = write("a", Random.new(size).bytes(size))
      assert_equal [File.binread(file), Encoding::BINARY], [ENGINE.binread(file), ENGINE.binread(file).encoding]
    end
    assert_equal [nil, nil], [ENGINE.binread(path("missing")), ENGINE.binread(path("a/below"))]
    assert_equal assert_raises(Errno::EISDIR) { File.binread(tree) }.message,
                 assert_raises(Errno::EISDIR) { ENGINE.binread(tree) }.message
  end

  def test_binread_converts_nothing
    file = write("a", "\xE9")
    script = <<~'RUBY'
      Encoding.default_external, Encoding.default_internal = "ISO-8859-1", "UTF-8"
      print [Frugal::Native.engine.binread(ARGV[0]),
             Frugal.read(ARGV[0])].map { |text| [text.encoding.name, text.bytes] }.inspect
    RUBY
    result = run_ruby("-W0", "-e", script, file)
    assert_equal '[["ASCII-8BIT", [233]], ["UTF-8", [195, 169]]]', result.out, result
  end

  def test_core
    skip "JRuby's own methods say where they are written" if RUBY_ENGINE == "jruby"
    script = <<~'RUBY'
      engine, file = Frugal::Native.engine, File.singleton_class
      print engine.core?(file, :exist?, :binread, :open), engine.core?(file, :exist?, :missing), engine.core?(file),
            engine.core?(Class.new(File).singleton_class, :exist?)
      file.prepend(Module.new { def stat(path) = super })
      print engine.core?(file, :stat), engine.core?(file, :exist?)
      def File.exist?(_path) = true
      print engine.core?(file, :exist?), engine.core?(file, :binread)
    RUBY
    assert_equal "truefalsetruetruefalsetruefalsetrue", run_ruby("-W0", "-e", script).out
  end

  def test_same
    script = <<~'RUBY'
      engine = Frugal::Native.engine
      class Parent; def one = 1; def two = 2; end
      class Child < Parent; def two = 3; end
      names = %i[one two]
      parents, childs = [Parent, Child].map { |klass| names.map { |name| klass.instance_method(name) } }
      same = -> { print engine.same?(Parent, names, parents), engine.same?(Child, names, childs), " " }
      same.()
      print engine.same?(Parent, [], []), engine.same?(Parent, names, parents.reverse), " "
      class Child; def one = 4; end
      same.()
      Parent.prepend(Module.new { def two = super })
      same.()
      Child.class_eval { remove_method(:two) }
      Parent.class_eval { undef_method(:one) }
      begin
        engine.same?(Parent, names, parents)
      rescue NameError => e
        print e.name
      end
    RUBY
    assert_equal "truetrue truefalse truefalse falsefalse one", run_ruby("-W0", "-e", script).out
  end
end
