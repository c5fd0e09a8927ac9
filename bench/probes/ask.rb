# frozen_string_literal: true

# Asks, for Counting: each line of standard input is a question, "/", present or
# missing, and paths. Prints how many exceptions each idiom raised.
require_relative "idioms"
require_relative "../support/marked_calls"

raised = 0
watch = TracePoint.new(:raise) { raised += 1 }
lines = $stdin.readlines(chomp: true).map { |line| line.split("\t") }

# The first call of anything loads and grows what later calls find there.
work = lambda do |key, paths, idiom|
  question, presence = key.split("/")
  found = idiom.public_send(question, paths)
  abort "#{idiom} answers #{found} for #{key}" unless found == (presence == "present" ? paths.size : 0)
end
lines.each { |key, *paths| Frugal::ProbesBench::IDIOMS.each { |idiom| work.call(key, paths, idiom) } }

lines.each do |key, *paths|
  Frugal::ProbesBench::IDIOMS.each do |idiom|
    GC.start
    GC.disable # a finalizer that closes something would be counted here
    raised = 0
    File.exist?(Frugal::Bench::MarkedCalls.mark("#{key}/#{idiom::LABEL}"))
    watch.enable { work.call(key, paths, idiom) }
    File.exist?(Frugal::Bench::MarkedCalls.mark("end"))
    GC.enable
    puts "#{key}/#{idiom::LABEL}\t#{raised}"
  end
end
