# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"

# Real programs, recorded and analyzed. A program says on top what it wastes and at which line of itself (or in which
# file of a library), or that it is clean. What the recorder cannot see is marked `needs-probe`, and left out.
class ProfileCorpusOfProgramsTest < Frugal::TestCase
  Program = Struct.new(:file, :expected)
  PROGRAMS = Dir.glob("#{__dir__}/corpus/*.rb").filter_map do |file|
    header = File.readlines(file, chomp: true).grep(/\A# (?:waste:|clean)/)
    next if header.any? { |line| line.end_with?("needs-probe") }

    Program.new(file, header.filter_map { |line| line[/\A# waste: (.*)/, 1]&.split })
  end
  LEAST = 0.95 # of precision and of recall

  def test_precision_and_recall
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?

    @costs = Frugal::Profile::CostModel.calibrate
    found, missed, wrong = PROGRAMS.map { |program| judge(program) }.transpose.map(&:flatten)
    assert_operator PROGRAMS.count { |program| program.expected.any? }, :>=, 30
    assert_operator PROGRAMS.count { |program| program.expected.empty? }, :>=, 30
    assert_operator found.size.fdiv(found.size + missed.size), :>=, LEAST, "missed: #{missed.join(", ")}"
    assert_operator found.size.fdiv(found.size + wrong.size), :>=, LEAST, "wrong: #{wrong.join(", ")}"
  end

  private

  # @return [Array<Array<String>>] findings that are right, that are missing, and that are wrong
  def judge(program)
    name = File.basename(program.file)
    places = program.expected.map { |kind, place| "#{name}: #{kind} #{place}" }
    shown = findings(program).map { |finding| "#{name}: #{finding.kind} #{place(finding, program)}" }
    [places & shown, places - shown, shown - places]
  end

  def findings(program)
    folder = mkdir(File.basename(program.file, ".rb"))
    command = [RUBY, "-W0", program.file]
    null = { in: File::NULL, out: File::NULL, err: File::NULL }
    recording = Frugal::Profile::Run.new(command, chdir: folder, **null).call
    Frugal::Profile::Analyzer.new(recording, @costs).findings.select(&:shown?)
  end

  def place(finding, program)
    finding.file == program.file ? finding.line.to_s : File.basename(finding.file.to_s)
  end
end
