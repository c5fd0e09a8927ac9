# frozen_string_literal: true

require "rbconfig"

# Runs test files in legs, one process each, and adds up what minitest counted.
# test/shared runs under both engines. bin/test calls it.
class TestRun
  ROOT = File.expand_path("..", __dir__)
  SUMMARY = /^(\d+) runs, \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$/
  Leg = Struct.new(:title, :engine, :files)

  def initialize(argv)
    named, @options = argv.partition { |arg| arg.end_with?(".rb") || File.directory?(arg) }
    named << "#{ROOT}/test" if named.empty?
    @files = named.flat_map { |name| File.directory?(name) ? tests_in(name) : relative(name) }
    @passed = @failed = @skipped = 0
  end

  # @return [Boolean] whether nothing failed
  def call
    legs.each { |leg| run(leg) unless leg.files.empty? }
    puts
    puts "#{@skipped} skipped" if @skipped.positive?
    puts "#{@passed} passed, #{@failed} failed"
    @failed.zero?
  end

  private

  def legs
    core, others = @files.partition { |file| file.start_with?("test/core/") }
    shared = others.grep(%r{\Atest/shared/})
    [Leg.new("C engine", "c", others), Leg.new("pure engine", "pure", shared), Leg.new("C core", "c", core)]
  end

  def run(leg)
    puts "== #{leg.title}: #{leg.files.size} files"
    command = [RbConfig.ruby, "-w", "-e", "ARGV.shift(#{leg.files.size}).each { |file| require file }",
               *leg.files.map { |file| File.join(ROOT, file) }, *@options]
    output = IO.popen({ "FRUGAL_ENGINE" => leg.engine }, command, chdir: ROOT) { |io| show(io) }
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
