# frozen_string_literal: true

require "rbconfig"

# Runs test files in legs, one process each, and adds up what minitest counted.
# test/shared runs under both engines, and once more under JRuby, in one JVM.
# bin/test calls it.
class TestRun
  ROOT = File.expand_path("..", __dir__)
  SUMMARY = /^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$/
  JRUBY = "#{ROOT}/test/support/jruby"
  # Our own gems and options are MRI's; and Java reads names of files in the locale's encoding.
  FOR_JRUBY = { "RUBYOPT" => nil, "RUBYLIB" => nil, "BUNDLE_GEMFILE" => nil, "GEM_HOME" => nil, "GEM_PATH" => nil,
                "LC_ALL" => "C.UTF-8" }.freeze
  Leg = Struct.new(:title, :engine, :files, :ruby) do
    def jruby? = ruby == JRUBY
  end

  def initialize(argv)
    named, @options = argv.partition { |arg| arg.end_with?(".rb") || File.directory?(arg) }
    named << "#{ROOT}/test" if named.empty?
    @files = named.flat_map { |name| File.directory?(name) ? tests_in(name) : relative(name) }
    @passed = @failed = @skipped = 0
  end

  # @return [Boolean] whether nothing failed
  def call
    legs.reject { |leg| leg.files.empty? }.each { |leg| leg.jruby? && !java? ? leave_out(leg) : run(leg) }
    puts
    puts "#{@skipped} skipped" if @skipped.positive?
    puts "#{@passed} passed, #{@failed} failed"
    @failed.zero?
  end

  private

  def legs
    core, others = @files.partition { |file| file.start_with?("test/core/") }
    shared = others.grep(%r{\Atest/shared/})
    [Leg.new("C engine", "c", others, RbConfig.ruby), Leg.new("pure engine", "pure", shared, RbConfig.ruby),
     Leg.new("JRuby", "pure", shared.reject { |file| file.end_with?("_cost_test.rb") }, JRUBY), # a JVM makes calls of its own
     Leg.new("C core", "c", core, RbConfig.ruby)]
  end

  def java? = File.directory?("#{ROOT}/tmp/jruby/lib") && system("java", "-version", err: File::NULL, out: File::NULL)

  def leave_out(leg)
    puts "== #{leg.title}: #{leg.files.size} files skipped: there is no Java, or no JRuby in tmp/jruby"
    @skipped += leg.files.size
  end

  def run(leg)
    puts "== #{leg.title}: #{leg.files.size} files"
    command = [leg.ruby, "-w", "-e", "ARGV.shift(#{leg.files.size}).each { |file| require file }",
               *leg.files.map { |file| File.join(ROOT, file) }, *@options]
    env = { "FRUGAL_ENGINE" => leg.engine, **(leg.jruby? ? FOR_JRUBY : {}) }
    output = IO.popen(env, command, chdir: ROOT) { |io| show(io) }
    count(leg, output, $?)
  end

  # Dots as they come.
  def show(io)
    output = +""
    loop do
      part = io.readpartial(4096)
      output << part
      $stdout.write(part)
      $stdout.flush
    end
  rescue EOFError
    output
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

  def tests_in(folder) = Dir.glob("#{folder}/**/*_test.rb").map { |file| relative(file) }
  def relative(file) = File.expand_path(file).delete_prefix("#{ROOT}/")
end

exit TestRun.new(ARGV).call
