# frozen_string_literal: true

# uses: musl

require_relative "../test_helper"
require_relative "../../ext/units"

# All C files compile with musl, the C library of Alpine Linux, and the tests of the core pass with it. The headers of
# Ruby are those of this machine.
class MuslTest < Frugal::TestCase
  FLAGS = %w[-std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror].freeze
  EXT = File.join(ROOT, "ext")

  def setup
    skip "musl-gcc is not installed (Debian: musl-tools)" unless run_command("sh", "-c", "command -v musl-gcc").success?
  end

  def test_the_engine
    Dir.chdir(mkdir("engine")) do
      units = Units.new("#{EXT}/frugal").write
      refute_empty units
      compile("-fsyntax-only", "-D_GNU_SOURCE=1", "-DHAVE_STRUCT_STAT_ST_MTIM", "-DHAVE_PTHREAD_H", "-I#{EXT}/frugal", *ruby, *units)
    end
  end

  def test_the_recorder
    Dir.chdir(mkdir("recorder")) do
      units = Units.new("#{EXT}/frugal_recorder").write
      refute_empty units
      compile("-fsyntax-only", "-D_GNU_SOURCE=", "-fno-builtin", "-Wno-array-parameter", "-I#{EXT}/frugal_recorder", *units)
    end
  end

  def test_the_core_runs
    memory = %w[malloc calloc realloc].map { |name| "-D#{name}=test_#{name}" } # see memory.h
    Dir.chdir(mkdir("core")) do
      units = Units.new("#{EXT}/frugal").write.grep(/_core_/)
      compile("-O1", "-c", "-D_GNU_SOURCE=1", "-I#{EXT}/frugal", *memory, *units)
      compile("-O1", "-c", "#{__dir__}/memory.c")
      Dir.glob("#{__dir__}/*_test.c").each do |source|
        compile("-O1", "-I#{EXT}/frugal", source, *Dir.glob("*.o"), "-o", "program", "-static", "-lpthread")
        run = run_command(path("core/program"), chdir: mkdir("empty #{File.basename(source)}"), close_others: true)
        assert run.success?, run
      end
    end
  end

  private

  def ruby = %w[rubyhdrdir rubyarchhdrdir].map { |name| "-I#{RbConfig::CONFIG[name]}" }

  def compile(*arguments)
    built = run_command("musl-gcc", *FLAGS, *arguments, chdir: Dir.pwd)
    assert built.success?, built
  end
end
