# frozen_string_literal: true

# Measures one part of Rake in a separate process, which may run under `frugal run`. Prints
# the median of seven repetitions in seconds:
#
#   ruby bench/rake/micro.rb pathmap 20000 FOLDER
#
# FOLDER contains src/*.c for the glob.
require "rake"

name, count, folder = ARGV
Dir.chdir(folder)
names = Array.new(Integer(count)) { |i| format("src/f%05d.c", i) }
excluded = names.each_slice([names.size / 20, 1].max).map(&:first)

work = {
  "pathmap" => -> { names.map { |file| file.pathmap("%{^src,out}X.o") } },
  "ext" => -> { names.map { |file| file.ext(".o") } },
  "names" => -> { Rake::FileList.new.include(*names).exclude(*excluded).to_a },
  "patterns" => -> { Rake::FileList.new.include(*names).exclude("src/f*1.c", /f\d*2\.c\z/).to_a },
  "glob" => -> { Rake::FileList["src/*.c"].to_a }
}.fetch(name)

times = Array.new(7) do
  GC.start
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  work.call
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
end
puts times.sort[3]
