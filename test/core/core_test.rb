# frozen_string_literal: true

# uses: valgrind

require_relative "../test_helper"

# Tests the C code of ext/frugal/core, which does not depend on Ruby. Each *_test.c here is compiled with the core,
# with the sanitizers and for valgrind, and runs in an empty directory.
class CoreTest < Frugal::TestCase
  EXTENSION = File.join(ROOT, "ext/frugal")
  CORE = File.join(EXTENSION, "core")
  VARIANTS = {
    "address,undefined" => %w[-fsanitize=address,undefined -fno-sanitize-recover=all],
    "thread" => %w[-fsanitize=thread],
    "valgrind" => []
  }.freeze
  OBJECTS = {} # variant => folder
  MEMORY = %w[malloc calloc realloc].map { |name| "-D#{name}=test_#{name}" }.freeze # see memory.h
  VALGRIND = %w[valgrind --quiet --error-exitcode=9 --leak-check=full --track-fds=yes].freeze

  Dir.glob(File.join(__dir__, "*_test.c")).each do |source|
    VARIANTS.keys.first(QUICK ? 1 : 3).each do |variant|
      define_method("test_#{File.basename(source, "_test.c")}_#{variant.tr(",", "_")}") { check(source, variant) }
    end
  end

  def test_the_core_does_not_include_ruby
    files = Dir.glob(File.join(CORE, "**/*.[ch]"))
    refute_empty files
    assert_empty files.select { |file| File.read(file).match?(/#include.*ruby/) }
  end

  private

  def check(source, variant)
    skip "valgrind is not installed" if variant == "valgrind" && !valgrind?
    program = path("program")
    built = compile(variant, source, *objects(variant), "-o", program, "-lpthread")
    assert built.success?, built
    # valgrind 3.24 reports inherited descriptors.
    run = run_command(*(VALGRIND if variant == "valgrind"), program, chdir: mkdir("empty"), close_others: true)
    assert run.success?, run
    assert_empty run.out
  end

  # The object files of the core, compiled once for each variant.
  def objects(variant)
    folder = OBJECTS[variant] ||= Dir.mktmpdir.tap do |made|
      Minitest.after_run { FileUtils.rm_rf(made) }
      Dir.chdir(made) do
        [[*MEMORY, *Dir.glob(File.join(CORE, "**/*.c"))], [File.join(__dir__, "memory.c")]].each do |arguments|
          built = compile(variant, "-c", *arguments)
          assert built.success?, built
        end
      end
    end
    Dir.glob(File.join(folder, "*.o"))
  end

  def compile(variant, *arguments)
    run_command(compiler, "-std=gnu11", "-g", "-O1", "-Wall", "-Wextra", "-Werror", *VARIANTS.fetch(variant), "-I", EXTENSION,
                *arguments)
  end

  def compiler = ENV["CC"] || RbConfig::CONFIG["CC"].split.first

  def valgrind? = run_command("sh", "-c", "command -v valgrind").success?
end
