# frozen_string_literal: true

# uses: jruby

require "json"
require_relative "../test_helper"
require_relative "../support/recorded_programs"
require_relative "../support/profile_case"
require_relative "../support/wasteful_program"
require_relative "../support/json_schema"

# The recorder in Ruby finds what the native one finds in a program that only uses Ruby's file methods.
class RubyRecorderTest < Frugal::TestCase
  include RecordedPrograms

  JRUBY = File.join(ROOT, "test/support/jruby")
  SCHEMA = JSONSchema.new(JSON.parse(File.read(File.join(ROOT, "docs/profile.schema.json"))))
  # What Ruby does around a call of a method, and which the recorder in Ruby does not see.
  UNSEEN = %i[isatty lseek chdir].freeze

  def setup
    @program = write("program.rb", WastefulProgram::SOURCE)
  end

  def wasteful(*ruby, **options)
    record(*ruby, @program, mkdir("data#{Dir.children(tree).size}"), **options)
  end

  def java? = File.directory?("#{ROOT}/tmp/jruby/lib") && system("java", "-version", err: File::NULL, out: File::NULL)

  def test_findings
    recording, output = wasteful(RUBY, "--disable-gems", recorder: :ruby)
    assert_equal "31\n", output
    assert_findings Frugal::Profile::Analyzer.new(recording, ProfileCase::MODEL).findings
    assert_equal :ruby, recording.recorder
    assert_includes recording.notes, Frugal::Profile::RubyRecorder::NOTE
  end

  def test_both_recorders_count_the_same_by_line
    skip "the native recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    native, ruby = %i[native ruby].map do |recorder|
      recording, = wasteful(RUBY, "--disable-gems", recorder: recorder)
      WastefulProgram.calls(recording, @program).reject { |(_, name), _| UNSEEN.include?(name) }
    end
    native.delete([9, :stat, nil]) # of realpath, which is one call here
    assert_equal native, ruby
  end

  def test_both_recorders_count_the_same_exceptions
    skip "the native recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    native, ruby = %i[native ruby].map do |recorder|
      wasteful(RUBY, "--disable-gems", recorder: recorder).first.raises.map { |one| [one.class_name, one.ancestors, one.error, one.site.line] }.tally
    end
    assert_equal native, ruby
    assert_equal 51, ruby.values.sum
  end

  # Also that frugal itself runs under JRuby: it takes this recorder there.
  def test_jruby
    skip "there is no Java, or no JRuby in tmp/jruby" unless java?
    json = path("profile.json")
    result = run_command(JRUBY, File.join(ROOT, "exe/frugal"), "profile", "--json", json, "--", JRUBY, @program, mkdir("data"),
                         env: { "RUBYOPT" => nil, "LC_ALL" => "C.UTF-8" }, timeout: 240)
    assert result.success?, result
    assert_equal "31\n", result.out
    assert_includes result.err, Frugal::Profile::RubyRecorder::NOTE
    profile = JSON.parse(File.read(json))
    assert_empty SCHEMA.errors(profile)
    assert_equal "ruby", profile["recorder"]
    finding = Struct.new(:kind, :file, :line, :count)
    assert_findings(profile["findings"].map { |one| finding.new(*one.values_at("kind", "file", "line", "count")) })
    assert_equal 51, profile["counts"]["exceptions"]
    assert_equal WastefulProgram.calls(wasteful(RUBY, recorder: :ruby).first, @program), calls(profile)
  end

  # @return [Hash{Array(Integer, Symbol, String) => Integer}] as of WastefulProgram.calls
  def calls(profile)
    rows = profile["calls"].select { |row| row["file"] == @program }
    rows.group_by { |row| [row["line"], row["call"].to_sym, row["errno"]] }.transform_values { |some| some.sum { |row| row["count"] } }
  end

  def assert_findings(findings)
    found = WastefulProgram.found(findings, @program)
    expected = WastefulProgram::FINDINGS
    assert_equal expected.keys.sort, found.keys.sort
    counted = expected.keys.select { |kind,| WastefulProgram::COUNTED.include?(kind) }
    assert_equal expected.slice(*counted), found.slice(*counted)
  end

  def test_native_by_default
    skip "the native recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    recording, = record(RUBY, "--disable-gems", "-e", "File.exist?('a')")
    assert_equal :native, recording.recorder
  end

  def test_an_unknown_recorder
    error = assert_raises(Frugal::UsageError) { record(RUBY, "-e", "1", recorder: :other) }
    assert_equal "recorder: must be native or ruby (got other)", error.message
  end

  def test_a_program_that_is_no_ruby
    recording, output = record("sh", "-c", "echo a", recorder: :ruby)
    assert_equal "a\n", output
    assert_empty recording.processes
    assert_match(/\Anothing was recorded: the command runs no Ruby that reads RUBYOPT/, recording.notes.first)
  end

  def test_budget
    result = run_command(RUBY, File.join(ROOT, "exe/frugal"), "budget", "--recorder", "ruby", "--max-stats", "2", "--", RUBY,
                         "--disable-gems", "-e", "3.times { File.exist?('a') }", chdir: tree)
    assert_equal 1, result.exitstatus, result
    assert_match(/\Afrugal: over the budget by 1 stat\n/, result.err)
    assert_includes result.err, "note: #{Frugal::Profile::RubyRecorder::NOTE}"
  end

  def test_groups_of_examples
    test = write("a_test.rb", <<~'RUBY') # with warnings, which are about the program only
      require "minitest/autorun"
      class ATest < Minitest::Test
        def test_a = 5.times { |i| File.exist?("group#{i}") }
      end
    RUBY
    recording, output = record(RUBY, "-w", test, recorder: :ruby, agent: :example)
    refute_includes output, "warning"
    groups = recording.calls.select { |call| call.path&.match?(/group\d\z/) }.map(&:group).tally
    assert_equal({ test => 5 }, groups)
    assert_equal({ test => 1 }, recording.runs)
  end

  # A minitest-like test of Rake's agent: what a task reads and does not declare.
  def test_undeclared_prerequisites_of_rake
    write("Rakefile", "file('out') { File.write('out', File.read('in')) }\n")
    write("in", "text")
    recording, output = record(RUBY, "-S", "rake", "out", recorder: :ruby, agent: :task)
    assert recording.status.success?, output
    assert_equal [[:read, path("in")]], recording.undeclared.map { |one| [one.kind, one.path] }
  end
end
