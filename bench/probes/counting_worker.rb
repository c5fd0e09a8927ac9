# frozen_string_literal: true

# The process that {Counting} starts. Each line of standard input is a question, a slash,
# "present" or "missing", and paths, separated by tabs. Prints the number of exceptions
# that each idiom raised.
require_relative "idioms"
require_relative "../support/marked_trace"

# Counts the exceptions of a block: JRuby has no such TracePoint, but a count of its own.
if RUBY_ENGINE == "jruby"
  require "jruby"
  exceptions = lambda do |&block|
    before = JRuby.runtime.getExceptionCount
    block.call
    JRuby.runtime.getExceptionCount - before
  end
else
  exceptions = lambda do |&block|
    raised = 0
    TracePoint.new(:raise) { raised += 1 }.enable(&block)
    raised
  end
end
lines = $stdin.readlines(chomp: true).map { |line| line.split("\t") }

ask = lambda do |key, paths, idiom|
  question, presence = key.split("/")
  found = idiom.public_send(question, paths)
  abort "#{idiom} found #{found} paths for #{key}" unless found == (presence == "present" ? paths.size : 0)
end
# A first call may load files and fill caches, so it does not count.
(RUBY_ENGINE == "jruby" ? 20 : 1).times do # until JRuby has compiled it
  lines.each { |key, *paths| Frugal::ProbesBench::IDIOMS.each { |idiom| ask.call(key, paths, idiom) } }
end

lines.each do |key, *paths|
  Frugal::ProbesBench::IDIOMS.each do |idiom|
    GC.start
    GC.disable # a finalizer may close a file, and that call would count
    File.exist?(Frugal::Bench::MarkedTrace.mark("#{key}/#{idiom::LABEL}"))
    raised = exceptions.call { ask.call(key, paths, idiom) }
    File.exist?(Frugal::Bench::MarkedTrace.mark(Frugal::Bench::MarkedTrace::END_MARK))
    GC.enable
    puts "#{key}/#{idiom::LABEL}\t#{raised}"
  end
end
