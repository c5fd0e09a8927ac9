# frozen_string_literal: true

require "etc"
require "rbconfig"

# Runs test files in legs, one process each, one more at a time than there are
# processors, since many tests wait for processes, and adds up what minitest counted. test/shared runs under the
# engines C and pure, and under JRuby with the engines Java and pure, each in one JVM; under JRuby 10, too, where there is
# a Java for it. bin/test calls it.
class TestRun
  ROOT = File.expand_path("..", __dir__)
  SUMMARY = /^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$/
  JRUBY = "#{ROOT}/test/support/jruby"
  JAR = "#{ROOT}/lib/frugal/native.jar"
  # Our own gems and options are MRI's; and Java reads names of files in the locale's encoding.
  FOR_JRUBY = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "GEM_HOME" => nil, "GEM_PATH" => nil,
                "LC_ALL" => "C.UTF-8" }.freeze
  Leg = Struct.new(:title, :engine, :files, :jars) do
    # @param jars [String, nil] the directory of JRuby's jars; nil for MRI
    def initialize(title, engine, files, jars = nil) = super

    def ruby = jars ? JRUBY : RbConfig.ruby
    def environment = { "FRUGAL_ENGINE" => engine, **(jars ? { **FOR_JRUBY, "JRUBY_JARS" => jars } : {}) }
    def to_s = "#{title}: #{files.size} files"
  end

  # @param argv [Array<String>] files, folders, options of minitest; --mri or --jruby for the legs of one Ruby
  def initialize(argv)
    @only = argv.delete("--mri") || argv.delete("--jruby")
    named, @options = argv.partition { |arg| arg.end_with?(".rb") || File.directory?(arg) }
    missing = (named + argv.take_while { |arg| !arg.start_with?("-") }).uniq.reject { |name| File.exist?(name) }
    abort "no such file or folder: #{missing.join(", ")}" unless missing.empty?

    named << "#{ROOT}/test" if named.empty?
    @files = named.flat_map { |name| File.directory?(name) ? tests_in(name) : relative(name) }
    @passed = @failed = @skipped = 0
  end

  # @return [Boolean] whether nothing failed
  def call
    absent, present = legs.reject { |leg| leg.files.empty? }.partition { |leg| leg.jars && !java?(leg) }
    absent.each { |leg| leave_out(leg) }
    present.size > 1 ? run_side_by_side(present) : present.each { |leg| run_alone(leg) }
    puts
    puts "#{@skipped} skipped" if @skipped.positive?
    puts "#{@passed} passed, #{@failed} failed"
    @failed.zero?
  end

  private

  def legs
    mri = @only == "--jruby" ? [] : mri_legs
    jruby = @only == "--mri" ? [] : jruby_legs
    # The longest first.
    [*mri.first(3), *jruby, *mri.drop(3)]
  end

  def mri_legs
    rest = @files.grep_v(%r{\Atest/jruby/})
    folders = %w[core fuzz cli crash dropin integration real style profile]
    core, fuzz, commands, crash, dropins, integration, real, style, profile = folders.map do |folder|
      rest.select { |file| file.start_with?("test/#{folder}/") }.tap { |files| rest -= files }
    end
    [Leg.new("Drop-ins", "c", dropins), Leg.new("C engine", "c", rest), Leg.new("Commands", "c", commands),
     Leg.new("Fuzzers", "c", fuzz), Leg.new("Crashes", "c", crash), Leg.new("Style", "c", style),
     Leg.new("C core", "c", core), Leg.new("Integration", "c", integration), Leg.new("Profiles", "c", profile),
     Leg.new("pure engine", "pure", shared), Leg.new("Real programs", "c", real)]
  end

  # MRI runs the files of test/jruby: they start JRuby.
  def jruby_legs
    files = shared.reject { |file| file.end_with?("_cost_test.rb") } # a JVM makes calls of its own
    jars = ENV["JRUBY_JARS"] || "#{ROOT}/tmp/jruby/lib"
    [Leg.new("JRuby, Java engine", "java", files, jars), Leg.new("JRuby, pure engine", "pure", files, jars),
     Leg.new("JRuby 10, Java engine", "java", files, "#{ROOT}/tmp/jruby10/lib"),
     Leg.new("JRuby as a process", "c", @files.grep(%r{\Atest/jruby/}))]
  end

  def shared = @files.grep(%r{\Atest/shared/})

  def java?(leg)
    File.directory?(leg.jars) && (leg.engine == "pure" || File.exist?(JAR)) &&
      system("java", "-version", err: File::NULL, out: File::NULL)
  end

  def leave_out(leg)
    puts "== #{leg} skipped: bin/setup --jruby has not found the Java for it, or no JDK to compile the Java engine"
    @skipped += leg.files.size
  end

  # Dots as they come.
  def run_alone(leg)
    puts "== #{leg}"
    output = +""
    status = start(leg) do |io|
      loop { $stdout.write(io.readpartial(4096).tap { |part| output << part }) }
    rescue EOFError
      nil
    end
    count(leg, output, status)
  end

  # What a leg printed comes when it is through.
  def run_side_by_side(legs)
    waiting = legs.each_with_object(Queue.new) { |leg, queue| queue << leg }.close
    printing = Mutex.new
    threads = Array.new([Etc.nprocessors + 1, legs.size].min) do
      Thread.new do
        while (leg = waiting.pop)
          printing.synchronize { puts "#{leg} …" }
          output = nil
          status = start(leg) { |io| output = io.read }
          printing.synchronize { puts("== #{leg}", output) || count(leg, output, status) }
        end
      end
    end
    threads.each(&:join)
  end

  def start(leg, &block)
    command = [leg.ruby, "-w", "-e", "ARGV.shift(#{leg.files.size}).each { |file| require file }",
               *leg.files.map { |file| File.join(ROOT, file) }, *@options]
    IO.popen(leg.environment, command, chdir: ROOT, &block)
    $?
  end

  def count(leg, output, status)
    runs, *bad, skips = output.scan(SUMMARY).last&.map(&:to_i)
    if runs.nil? || (bad.sum.zero? && !status.success?)
      puts "#{leg.title}: ended without a verdict (#{status})"
      @failed += 1
      return
    end
    @failed += bad.sum
    @skipped += skips
    @passed += runs - bad.sum - skips
  end

  # What lies in a corpus is somebody's program.
  def tests_in(folder) = Dir.glob("#{folder}/**/*_test.rb").map { |file| relative(file) }.grep_v(%r{/corpus/})
  def relative(file) = File.expand_path(file).delete_prefix("#{ROOT}/")
end

$stdout.sync = true
exit TestRun.new(ARGV).call
