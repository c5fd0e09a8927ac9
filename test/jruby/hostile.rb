# frozen_string_literal: true

# The process of java_names_test.rb, with the locale C or C.UTF-8: names of any bytes, faults, waits, descriptors.
# Prints what is wrong.
#
#   jruby hostile.rb TREE         TREE: an empty directory
require "jruby"
require "timeout"

tree = ARGV.fetch(0).b
check = ->(text, condition) { puts "wrong: #{text}" unless condition }
fault = lambda do |&block|
  block.call
  nil
rescue SystemCallError => e
  e.class
end
own = -> { Frugal.children("/proc/self/fd").size }

# -- names that JRuby's own methods cannot open: MRI has written them --
names = Frugal.children(tree)
bytes = ["a\xFF", "\xC3", "\u00fc", "\u65e5\u672c", "sp ace", "new\nline", "wow!", "a:b", "uri:", "#"].map(&:b)
check.call("names #{names}", names.map(&:b).sort == bytes.sort)
names.each do |name|
  next if name.end_with?("!") || name == "uri:" # for JRuby, these are names of jars

  path = "#{tree}/#{name.b}"
  check.call("read #{name.inspect}", Frugal.read(path)&.b == name.b)
  check.call("mtime #{name.inspect}", Frugal.mtime(path) == Time.at(7))
  check.call("size #{name.inspect}", Frugal.size(path) == name.bytesize && Frugal.stat(path).size == name.bytesize)
  Dir.chdir(tree) { check.call("relative #{name.inspect}", Frugal.read(name)&.b == name.b) }
end
check.call("wow!", Frugal.exist?("#{tree}/wow!"))

# -- faults --
check.call("5,000 bytes", fault.call { Frugal.mtime("/#{"a/" * 2500}") } == Errno::ENAMETOOLONG)
check.call("5,000 bytes in one name", fault.call { Frugal.entries("a" * 5000) } == Errno::ENAMETOOLONG)
File.symlink("loop", "#{tree}/loop")
%i[entries children read mtime].each do |probe|
  check.call("ELOOP of #{probe}", fault.call { Frugal.public_send(probe, "#{tree}/loop") } == Errno::ELOOP)
end
check.call("a file as directory", Frugal.entries("#{tree}/sp ace").nil? && Frugal.mtime("#{tree}/sp ace/x").nil?)
check.call("a directory as file", fault.call { Frugal.read(tree) } == Errno::EISDIR)
complaint = lambda do |question|
  question.call("a\0b")
  nil
rescue ArgumentError => e
  [e.class, e.message]
end
stock = complaint.call(File.method(:mtime))
check.call("NUL #{stock}", stock && complaint.call(Frugal.method(:mtime)) == stock)

# -- what is not in the file system --
jar = Dir["#{ENV["JRUBY_JARS"] || "#{__dir__}/../../tmp/jruby/lib"}/jruby-stdlib-*.jar"].first
["#{jar}!/META-INF/MANIFEST.MF", "jar:file:#{jar}!/META-INF/MANIFEST.MF", "uri:file:#{__FILE__}", "file:#{__FILE__}",
 "uri:classloader:/META-INF/jruby.home/lib/ruby/stdlib/find.rb"].each do |path|
  check.call("read #{path}", Frugal.read(path) == File.read(path))
end
check.call("/proc", Frugal.read("/proc/self/cmdline").include?("org.jruby.Main"))

# -- waits --
system("mkfifo", "#{tree}/fifo")
begin
  Timeout.timeout(0.3) { Frugal.read("#{tree}/fifo") }
  puts "wrong: Timeout of a fifo"
rescue Timeout::Error
  nil
end
reader = Thread.new { Frugal.read("#{tree}/fifo") }
sleep 0.1
File.write("#{tree}/fifo", "text" * 50_000)
check.call("fifo", reader.value == "text" * 50_000)
reader = Thread.new { Frugal.read("#{tree}/fifo") }
sleep 0.1
check.call("kill", reader.kill.join(5))

# -- descriptors --
File.write("#{tree}/big", "x" * 1_000_000)
use = lambda do |times|
  times.times do |i|
    Frugal.read("#{tree}/sp ace")
    Frugal.read("#{tree}/none")
    Frugal.children("#{tree}/none")
    Frugal.mtime("#{tree}/none")
    i % 100 == 0 and Frugal.read("#{tree}/big") && Frugal.entries(tree) && fault.call { Frugal.read(tree) }
  end
end
resident = -> { Frugal.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i }
use.call(50_000)
GC.start
before, memory = own.call, resident.call
Array.new(4) { Thread.new { use.call(62_500) } }.each(&:join) # 10^6 probes
GC.start
check.call("descriptors #{before} -> #{own.call}", own.call <= before)
check.call("memory #{memory} -> #{resident.call} KiB", resident.call - memory < 60_000)
puts "done"
