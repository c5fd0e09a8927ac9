# frozen_string_literal: true

require_relative "support/run/selection"
require_relative "support/run/progress"

# Runs test files in legs, one process each, one more at a time than there are processors, since many tests wait for
# processes. bin/test calls it. These tables say which tests run, and in which leg:
class TestRun
  JRUBY = %w[tmp/jruby/lib tmp/jruby10/lib].freeze
  # The longest first. test/shared runs under each engine of each Ruby.
  LEGS = [
    # title, beginnings of paths in test/, engine, the folder of JRuby's jars
    ["Drop-ins, p to z", %w[dropin/[p-z]], "c"], ["JRuby", %w[shared], "java", JRUBY[0]], ["Commands", %w[cli], "c"],
    ["C engine", %w[unit shared], "c"], ["Drop-ins, a to o", %w[dropin/[a-o]], "c"], ["JRuby as a process", %w[jruby], "c"],
    ["Costs", %w[cost], "c"], ["Pure engine", %w[shared], "pure"],
    ["Fuzzers", %w[fuzz], "c"], ["Crashes", %w[crash], "c"], ["JRuby, pure engine", %w[shared], "pure", JRUBY[0]],
    ["JRuby 10", %w[shared], "java", JRUBY[1]], ["Profiles", %w[profile], "c"], ["C core", %w[core], "c"],
    ["Style", %w[style], "c"], ["Integration", %w[integration], "c"], ["Real programs", %w[real], "c"]
  ].freeze
  # The parts of bin/setup that `bin/test` installs. `bin/test --all` also installs the others, such as a browser, and runs
  # the files that need them, and JRuby's legs. Each file says what it needs: see support/run/needs.rb.
  PARTS = %w[rakes pstores stores caches doubles valgrind webs].freeze
  # What `bin/test` leaves to `bin/test --all` because it takes long.
  ONLY_ALL = %w[test/integration/ test/cli/bench_ test/cli/gem_ test/cli/setup_ test/fuzz/rake_mutants_ test/unit/native_memory_].freeze

  # @param argv [Array<String>] --all, --mri or --jruby; files and folders; options of minitest
  def initialize(argv)
    @selection = Selection.new(argv)
    @progress = Progress.new($stdout, verbose: @selection.verbose?, skips: @selection.skips)
  end

  # @return [Boolean] whether nothing failed
  def call
    @selection.set_up
    present, absent = @selection.legs.partition(&:runs?)
    absent.each { |leg| @progress.leave_out(leg) }
    @progress.watch { side_by_side(present) }
    @progress.finish(@selection.legs)
  end

  private

  def side_by_side(legs)
    waiting = legs.each_with_object(Queue.new) { |leg, queue| queue << leg }.close
    Array.new([Etc.nprocessors + 1, legs.size].min) do
      Thread.new { while (leg = waiting.pop) do leg.run(@selection.options, @selection.environment, @progress) end }
    end.each(&:join)
  end
end

$stdout.sync = true
begin
  exit TestRun.new(ARGV).call
rescue Interrupt # the legs have got it, too
  exit 130
end
