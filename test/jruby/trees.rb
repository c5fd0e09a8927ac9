# frozen_string_literal: true

# The process of java_fileutils_test.rb: FileUtils with the drop-in under JRuby. Makes calls under stock and under the
# drop-in; makes some between marks in the trace; ends some in the middle; makes those of the fuzzer, until its input
# ends; and redefines methods. Prints what is wrong, and "done".
#
#   jruby trees.rb TREE           TREE: a folder with stock/t and ours/t, which are equal
require "jruby"
require "timeout"
require_relative "../fuzz/fileutils/outcome"
require_relative "../../bench/support/marked_trace"

TREE = ARGV.shift
STOCK = FileutilsFuzz::Stock::FileUtils

def check(text, condition)
  puts "wrong: #{text}" unless condition
end

check("the drop-in is off", Frugal::Dropin.status.any? { |one| one.name == :fileutils && one.state == :on })

# -- results and errors --
CALLS = [
  [:mkdir_p, "t/n/m/o"], [:mkdir_p, %w[t/1/2 t/1/2 t/1/3]], [:mkpath, "t/p/"], [:makedirs, "t//q///r//"],
  [:mkdir_p, "t/a/x"], [:mkdir_p, "t/a"], [:mkdir_p, "t/dangling/x"], [:mkdir_p, "t/link/x/y"], [:mkdir_p, "t/s/../u"],
  [:mkdir_p, "t/b/."], [:mkdir_p, ""], [:mkdir_p, nil], [:mkdir_p, "t/\0"], [:mkdir_p, "t/#{"n" * 300}/x"],
  [:mkdir_p, "x" * 5000], [:mkdir_p, "t/w/w", { mode: 0o1711 }], [:mkdir_p, "t/w/v", { mode: "0711" }],
  [:mkdir_p, "t/noop", { noop: true }], [:mkdir_p, "t/\u00fc/\xFF"], [:mkdir_p, "t/j!/x"], [:mkdir_p, "uri:x/y"],
  [:cp_r, "t", "u"], [:cp_r, "t/b", "u"], [:cp_r, "t/b/.", "v"], [:cp_r, "t/b/", "v2/"], [:cp_r, "t/link", "x"],
  [:cp_r, "t/link", "y", { dereference_root: false }], [:cp_r, "t/a", "missing/a"], [:cp_r, "t/a/", "a2"],
  [:copy_entry, "t/a", "t/a"], [:cp_r, "t/b", "t/b"], [:cp_r, "t/b", "t/link/../b2"], [:cp_r, "missing", "u"],
  [:cp_r, "t/raw", "r"], [:cp_r, "t/jar", "j"], [:cp_r, "t/b".b, "b2"], [:copy_entry, "t/dangling", "d"],
  [:cp_r, "t/b", "p", { preserve: true }], [:cp_r, "t/fifo", "f"], [:cp_r, "../../x/../missing", "f"],
  [:rm_rf, "t/link/"], [:rm_rf, "t/b/c/"], [:rm_r, "t/a/"], [:rm_rf, "t/raw"], [:rm_r, "t/raw"], [:rm_rf, "t/jar"],
  [:rm_r, "missing"], [:rm_rf, "missing"], [:rm_rf, "t/a/x"], [:rm_f, "t/b"], [:rm_f, "v/c/file/"], [:rm_f, "missing"],
  [:remove_entry, "v/."], [:remove_entry, "v"], [:rm_rf, "u/t/../t"], [:remove_entry, "p/\u00e4"], [:rm_rf, "x/."],
  [:remove_entry, nil, true], [:rm_rf, "u"], [:remove_dir, "p"], [:rm_r, "v2"]
].freeze

outcome = lambda do |utilities, (name, *arguments)|
  options = arguments.last.is_a?(Hash) ? arguments.pop : {}
  value = utilities.__send__(name, *arguments, **options)
  [value.inspect.gsub("FileutilsFuzz::Stock::", ""), $!]
rescue Exception => e # rubocop:disable Lint/RescueException -- those of Java are no StandardErrors
  [e.class, e.message.sub("#{TREE}/#{utilities == STOCK ? :stock : :ours}", ""), e.cause.class]
end
CALLS.each do |call|
  stock, ours = { stock: STOCK, ours: FileUtils }.map do |folder, utilities|
    Dir.chdir("#{TREE}/#{folder}") { outcome.call(utilities, call) }
  end
  check("#{call.inspect}: #{stock} and #{ours}", stock == ours)
end

# -- links: the test compares their targets --
FileUtils.cp_r("#{TREE}/links", "#{TREE}/copied")

# -- costs --
make = lambda do |folder|
  STOCK.mkdir_p(Array.new(3) { |i| "#{folder}/#{i}" })
  15.times { |i| File.write("#{folder}/#{i % 3}/#{i}", "content") }
end
questions = {
  "mkdir_p existing" => [-> { Dir.mkdir("m") unless Dir.exist?("m") }, -> { FileUtils.mkdir_p("m") }],
  "mkdir_p new" => [-> { STOCK.rm_rf("b") }, -> { FileUtils.mkdir_p("b/c/d") }],
  "mkdir_p mode" => [-> { STOCK.rm_rf("b") }, -> { FileUtils.mkdir_p("b", mode: 0o700) }],
  "rm_rf missing" => [-> {}, -> { FileUtils.rm_rf("missing") }],
  "rm_f missing" => [-> {}, -> { FileUtils.rm_f("missing") }],
  "rm_rf file" => [-> { File.write("file", "") }, -> { FileUtils.rm_rf("file") }],
  "rm_rf tree" => [-> { make.call("tree") }, -> { FileUtils.rm_rf("tree") }],
  "copy tree" => [-> { make.call("tree") && STOCK.rm_rf("copy") }, -> { FileUtils.copy_entry("tree", "copy") }],
  "copy over" => [-> { make.call("tree") && STOCK.cp_r("tree/.", "copy") },
                  -> { FileUtils.copy_entry("tree", "copy") }],
  "copy file" => [-> { STOCK.rm_f("copied") }, -> { FileUtils.copy_entry("m.txt", "copied") }],
  "copy link" => [-> { STOCK.rm_f("copied") }, -> { FileUtils.copy_entry("l", "copied") }]
}
raised = {}
Dir.mkdir("#{TREE}/costs")
Dir.chdir("#{TREE}/costs") do
  File.write("m.txt", "content")
  File.symlink("nowhere", "l")
  questions.each do |name, (before, ask)|
    30.times { before.call && ask.call } # classes are loaded, and some methods compiled
    3.times do
      before.call
      count = JRuby.runtime.getExceptionCount
      File.exist?(Frugal::Bench::MarkedTrace.mark(name))
      ask.call
      File.exist?(Frugal::Bench::MarkedTrace.mark(Frugal::Bench::MarkedTrace::END_MARK))
      raised[name] = [raised[name], JRuby.runtime.getExceptionCount - count].compact.min
    end
  end
end
puts "raised #{raised.inspect}" unless raised.values.uniq == [0]

Thread.report_on_exception = false
# -- Thread#kill and Timeout: they end the call, and leave no descriptor --
Dir.mkdir("#{TREE}/many")
20.times { |i| make.call("#{TREE}/many/#{i}") }
own = -> { Frugal.children("/proc/self/fd").count { |fd| Frugal.readlink("/proc/self/fd/#{fd}")&.start_with?(TREE) } }
%w[cp_r rm_rf].each do |name|
  10.times do |i|
    FileUtils.cp_r("#{TREE}/many", "#{TREE}/many#{i}") if name == "rm_rf"
    arguments = name == "rm_rf" ? ["#{TREE}/many#{i}"] : ["#{TREE}/many", "#{TREE}/copy#{i}"]
    thread = Thread.new { FileUtils.__send__(name, *arguments) }
    sleep i / 2000.0
    i.even? ? thread.kill.join : thread.raise(Timeout::Error).then { thread.join rescue nil }
    check("#{name} was ended in the middle: #{own.call} descriptors", own.call.zero?)
  end
end

# -- threads --
made = Array.new(4) do |i|
  Thread.new do
    Array.new(5) do |k|
      FileUtils.mkdir_p("#{TREE}/shared/#{k}/#{i % 2}")
      FileUtils.cp_r("#{TREE}/many/0", "#{TREE}/shared/#{i}copy")
      size = Frugal.count("#{TREE}/shared/#{i}copy")
      FileUtils.rm_rf("#{TREE}/shared/#{i}copy")
      size
    end
  end
end
check("threads: #{made.map(&:value)}", made.flat_map(&:value).uniq == [Frugal.count("#{TREE}/many/0")])
check("left by threads", Dir.children("#{TREE}/shared").sort == %w[0 1 2 3 4])

# -- the fuzzer --
require_relative "../fuzz/fileutils/jruby_calls"

# -- redefinitions, the last of which stays --
require_relative "trees_redefined"

puts "done"
