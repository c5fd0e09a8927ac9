# frozen_string_literal: true

# Does it help me? Real programs under frugal run, and from which size on each drop-in gains
#
# The programs are in real/cases.rb; their gems and trees in test/real/corpus.

require_relative "real/benchmark"
require_relative "real/report"

subject = Frugal::Bench.define("real", Frugal::RealBench) do
  description <<~TEXT
    Runs real programs of the corpus in test/real, and small programs with 1 to 10,000 files, stock and under
    `frugal run`, alternately. Measures processor time and counts system calls (with strace), launcher included.
    The first run installs pinned gems into tmp/real. Takes about half an hour.
  TEXT
  example "frugal bench real --only glob,find", "from which size on these gain"
  example "frugal bench real --only jekyll", "one real program"
  example "frugal bench real --save", "a report to keep; then: rake figures"
  example "frugal bench real --only find --sizes 25000,100000", "with other numbers of files"
  cases Frugal::RealBench::Cases::NAMES
  sizes = Frugal::RealBench::Cases::SIZES
  option "--sizes A,B", Array, "numbers of files of the small programs (default: #{sizes.join(",")})"
  default(:sizes, sizes) do |texts|
    wrong = texts.grep_v(/\A[1-9]\d*\z/).first
    raise OptionParser::InvalidArgument, "#{wrong}: a number, at least 1" if wrong

    texts.map(&:to_i).sort.uniq
  end
  rounds 7, "number of timed rounds, after one to warm up"
  quick "run one round with the two smallest sizes, and no real program unless --only names it: measures nothing"
  folder "where the files of the small programs are created"
  reports chart: false
end
Frugal::Bench::Command.start(subject, ARGV) if $PROGRAM_NAME == __FILE__
