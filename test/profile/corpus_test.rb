# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile"
require "frugal/profile/origins"

# Real programs, recorded and analyzed. A program says on top what it wastes and at which line of itself (and in which
# file of a library after that), or that it is clean.
class ProfileCorpusOfProgramsTest < Frugal::TestCase
  Program = Struct.new(:file, :expected)
  PROGRAMS = Dir.glob("#{__dir__}/corpus/*.rb").map do |file|
    Program.new(file, File.readlines(file, chomp: true, encoding: "UTF-8").filter_map { |line| line[/\A# waste: (.*)/, 1]&.split })
  end
  # What CostModel.calibrate measured on a quiet machine, rounded: the advice depends on the break-even, and what is
  # measured while other tests run would move it.
  COSTS = Frugal::Profile::CostModel.new(
    calls: { stat: [1.4, 1.0], lstat: [1.3, 1.0], eaccess: [2.6, 1.0], readlink: [1.5, 1.0], realpath: [3.5, 1.0],
             open: [3.1, 1.0], opendir: [5.3, 1.0], fstat: [0.4, 0.4], read: [0.6, 0.6], write: [0.8, 0.8],
             mkdir: [9.0, 1.0], chmod: [1.1, 1.0], rename: [7.8, 1.0] },
    overheads: { stat: 0.3, read: 0.0, write: 0.0, fstat: 0.2, open: 1.2, opendir: 1.2 },
    exceptions: { 10 => 2.7, 59 => 3.6, 209 => 5.4 }
  )

  def test_precision_and_recall
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?

    found, missed, wrong = PROGRAMS.map { |program| judge(program) }.transpose.map(&:flatten)
    assert_operator PROGRAMS.count { |program| program.expected.any? }, :>=, 30
    assert_operator PROGRAMS.count { |program| program.expected.empty? }, :>=, 30
    assert_empty missed, "missed"
    assert_empty wrong, "wrong"
    refute_empty found
  end

  private

  # @return [Array<Array<String>>] findings that are right, that are missing, and that are wrong
  def judge(program)
    name = File.basename(program.file)
    places = program.expected.map { |kind, place| "#{name}: #{kind} #{place}" }
    found = findings(program)
    shown, own = [found, found.select { |finding| program?(finding) }].map do |some|
      some.map { |finding| "#{name}: #{finding.kind} #{place(finding, program)}" }.uniq
    end
    [places & shown, places - shown, own - places]
  end

  # What Ruby's own libraries and `require` waste differs from version to version: only what is expected of them is
  # compared.
  def program?(finding) = finding.lines.nil? && (@origins ||= Frugal::Profile::Origins.new).own?(finding.path.last.file)

  # Without what the start of Ruby and of RubyGems asks in each program.
  def findings(program)
    analyzed(program.file).reject { |finding| start_of_ruby.include?([finding.kind, finding.place]) }
  end

  def start_of_ruby = @start_of_ruby ||= analyzed(write("nothing.rb", "")).map { |finding| [finding.kind, finding.place] }

  def analyzed(file)
    folder = mkdir(File.basename(file, ".rb"))
    command = [RUBY, "-W0", file]
    null = { in: File::NULL, out: File::NULL, err: File::NULL }
    recording = Frugal::Profile::Run.new(command, chdir: folder, **null).call
    Frugal::Profile::Analyzer.new(recording, COSTS).findings.select(&:waste?)
  end

  # @return [String] such as "7", "7→find.rb" or "require"
  def place(finding, program)
    return "require" if finding.lines

    finding.path.values_at(0, -1).uniq.map { |frame| frame.file == program.file ? frame.line : File.basename(frame.file) }.join("→")
  end
end
