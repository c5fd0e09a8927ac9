# frozen_string_literal: true

# The process of java_cost_test.rb. Asks each question of a tree often enough to be compiled, and then once between two
# marks in the trace; prints the number of exceptions of Ruby and of Java in 100 questions. Each of them three times, since
# JRuby's compiler, which is a thread, opens files and throws exceptions meanwhile: the least counts.
#
#   jruby costs.rb TREE LOG       LOG: the file in which Java writes its exceptions
require "jruby"
require "frugal"
require "frugal/entries"
require "frugal/pstore"
require_relative "../../bench/support/marked_trace"

tree, log = ARGV
questions = {
  "mtime" => -> { Frugal.mtime("#{tree}/file") }, "size" => -> { Frugal.size("#{tree}/file") },
  "stat" => -> { Frugal.stat("#{tree}/file") }, "exist" => -> { Frugal.exist?("#{tree}/file") },
  "type" => -> { Frugal.type("#{tree}/file") }, "readlink" => -> { Frugal.readlink("#{tree}/link") },
  "entries" => -> { Frugal.entries(tree) }, "children" => -> { Frugal.children(tree) },
  "read" => -> { Frugal.read("#{tree}/file") }, "binread" => -> { Frugal::Native.engine.binread("#{tree}/file") },
  "mtimes" => -> { Frugal.mtimes(["#{tree}/file"] * 100) }, "stats" => -> { Frugal.stats(["#{tree}/none"] * 100) },
  "relative" => -> { Dir.chdir(tree) { Frugal.mtime("file") or abort "Dir.chdir is not seen" } }
}
%w[none file/below].each do |missing|
  path = "#{tree}/#{missing}"
  Frugal::Probe.instance_methods.each do |name|
    next if name.end_with?("s?", "times", "stats")

    questions["#{missing} #{name.to_s.delete("?")}"] = -> { Frugal.public_send(name, path) }
  end
end

number = 0
store = PStore.new("#{tree}/store")
store.transaction { store[:a] = number }
questions["store read"] = -> { store.transaction(true) { store[:a] } }
questions["store unchanged"] = -> { store.transaction { store[:a] } }
others = Array.new(1000) { PStore.new("#{tree}/store") }
questions["store read by another object"] = -> { others.pop.then { |other| other.transaction(true) { other[:a] } } }
questions["store changed"] = -> { store.transaction { store[:a] = number += 1 } }

entries = Frugal::Entries.new("#{tree}/entries")
key, other = %w[key other].map { |text| Frugal::Entries.digest(text) }
entries.update(key) { |handle| handle.write("x" * 200) }
visit = lambda do |bytes = nil|
  handle = entries.open(key)
  handle.take_turn(0) && handle.load or abort "a turn or an entry is missing"
  handle.change(1, close: true) { handle.write(bytes) } if bytes
ensure
  handle.close
end
questions["entry read"] = -> { entries.read(key) }
questions["entry missing"] = -> { entries.read(other) }
questions["entry update"] = -> { entries.update(key) { |handle| handle.write("y" * 200) } }
questions["session unchanged"] = -> { visit.call }
questions["session changed"] = -> { visit.call("z" * 200) }

beneath = Frugal::Native.engine::Beneath.new(tree, false, 3_600_000)
questions["beneath"] = -> { beneath.open("/file").then { |file| [file.read(0, file.size), file.close] } }
questions["beneath missing"] = -> { beneath.open("/missing") }

ruby = -> { JRuby.runtime.getExceptionCount }
java = -> { File.foreach(log).grep(/Exception <a/).size }
questions.each_value { |ask| 500.times { ask.call } }
questions.each do |name, ask| # by now, all of them are compiled
  raised = Array.new(3) do
    before = [ruby.call, java.call]
    100.times { ask.call }
    [ruby.call, java.call].zip(before).map { |now, earlier| now - earlier }
  end
  3.times do
    # A store is read again until its times are older than two ticks of the clock.
    sleep(0.05) && questions["store unchanged"].call if name.start_with?("store")
    File.exist?(Frugal::Bench::MarkedTrace.mark(name))
    ask.call
    File.exist?(Frugal::Bench::MarkedTrace.mark(Frugal::Bench::MarkedTrace::END_MARK))
  end
  puts [name, *raised.min].join("\t")
end
