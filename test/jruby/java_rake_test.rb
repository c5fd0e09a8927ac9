# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/rakes"
require_relative "jruby_case"

# Rake's planner in Java: the same answers as its pure twin, and one stat for each file.
class JavaRakeTest < JRubyCase
  FILES = 1_200 # the times of the last ones are prefetched

  def test_java_and_pure_have_the_same_answers
    seed = Integer(ENV.fetch("FUZZ_SEED", Random.rand(10_000)))
    result = run_jruby("-I", "#{Rakes.all.last}/lib", "#{__dir__}/rake_twins.rb", seed.to_s)
    assert_equal "done\n", result.out, -> { "seed #{seed}\n#{result}" }
  end

  # Rake itself asks for each output twice and for each source three times.
  def test_one_stat_for_each_file
    skip "strace is not installed" unless Cost::Strace.available?

    FILES.times { |i| write("#{i}.c", "", mtime: Time.at(5)) && write("#{i}.o", "", mtime: Time.at(9)) }
    write("Rakefile", "task default: Array.new(#{FILES}) { |i| file(\"\#{i}.o\" => \"\#{i}.c\").name }\n")
    result = run_command("strace", "-f", "-e", "trace=statx,stat,newfstatat,lstat", "-o", path("trace"), JRUBY, "-W0",
                         "-I", LIB, "-I", "#{Rakes.all.first}/lib", "-rrake", "-rfrugal/rake", "-e",
                         "Rake.application.run(%w[--silent])", env: environment, chdir: tree)
    assert result.success?, result
    asked = File.readlines(path("trace")).filter_map { |line| line[%r{"(?:[^"]*/)?(\d+\.[co])"}, 1] }
    assert_equal FILES * 2, asked.uniq.size
    assert_equal FILES * 2, asked.size
  end
end
