# frozen_string_literal: true

# The process of java_walk_test.rb that interrupts walks, and walks trees that change. Prints what is wrong.
#
#   jruby walk_hostile.rb TREE    TREE/mesh has more paths than can be listed, TREE/deep 10,000 levels
require "jruby"
require "fileutils"
require "timeout"

tree = ARGV.fetch(0)
check = ->(text, condition) { puts "wrong: #{text}" unless condition }
# The JVM itself opens files now and then.
own = -> { Frugal.children("/proc/self/fd").filter_map { |name| Frugal.readlink("/proc/self/fd/#{name}") }.grep(/\A#{tree}/) }
helpers = -> { java.lang.Thread.getAllStackTraces.keySet.select { |thread| thread.getName == "frugal walk" } }
mesh = "#{tree}/mesh"

# -- 10,000 levels --
[1, 16].each do |threads|
  list = Frugal.walk("#{tree}/deep", threads: threads)
  check.call("levels #{list.size}", list.size == 10_000)
  check.call("the deepest", list.last.bytesize == "#{tree}/deep".bytesize + 20_000)
  check.call("each_path", Frugal.each_path("#{tree}/deep", sort: false, threads: threads).count == 10_000)
end

# -- interrupts --
walks = [
  -> { Frugal.walk(mesh, follow: :paths) }, -> { Frugal.walk(mesh, follow: :paths, threads: 1) },
  -> { Frugal.count(mesh, follow: :paths, threads: 16) },
  -> { Frugal.each_path(mesh, follow: :paths, sort: false) { |path| path } },
  -> { Frugal.each_path(mesh, follow: :paths, sort: false, ext: "none") { |path| path } }
]
walks.each_with_index do |walk, i|
  begin
    Timeout.timeout(0.1) { walk.call }
    puts "wrong: Timeout #{i}"
  rescue Timeout::Error
    nil
  end
  thread = Thread.new(&walk)
  sleep 0.05
  check.call("kill #{i}", thread.kill.join(20))
  thread = Thread.new(&walk)
  thread.report_on_exception = false
  sleep 0.05
  thread.raise(ArgumentError, "out")
  check.call("raise #{i}", (thread.join(20) rescue $!.message == "out"))
end
50.times { Frugal.each_path(mesh, follow: :paths, sort: false) { break } }
50.times { Frugal.each_path(mesh, follow: :paths, sort: false).first(3) }
3.times { catch(:out) { Frugal.each_path(mesh, follow: :paths, sort: false) { throw :out } } }
paths = Fiber.new { Frugal.each_path("#{tree}/wide", sort: false) { |path| Fiber.yield(path) } && nil } # a thread of Java
found = []
while (path = paths.resume) do found << path end
check.call("a fiber", found.sort == Frugal.walk("#{tree}/wide").to_a.sort)
check.call("helpers #{helpers.call.size}", helpers.call.all?(&:isDaemon))
caller = Thread.current
check.call("the caller's thread", Frugal.each_path("#{tree}/wide", sort: false).all? { Thread.current == caller })

# -- a tree that changes --
stop = false
churn = Thread.new do
  number = 0
  until stop
    folder = "#{tree}/churn/#{number += 1}/a/b"
    FileUtils.mkdir_p(folder)
    FileUtils.rm_rf("#{tree}/churn/#{number - 3}")
  end
end
reported = []
300.times do
  Frugal.walk("#{tree}/churn", stat: :size, follow: %i[paths once].sample, on_error: ->(_, error) { reported << error.class }).to_a
end
stop = true
churn.join
check.call("errors #{reported.uniq}", (reported.uniq - [Errno::ENOENT]).empty?)

# -- snapshots --
snapshot = Frugal::TreeSnapshot.new("#{tree}/deep")
check.call("a deep snapshot", snapshot.paths.size == 10_000 && snapshot.refresh.empty?)
snapshot = Frugal::TreeSnapshot.new("#{tree}/churn")
listed = snapshot.paths
40.times do |i|
  thread = Thread.new { loop { snapshot.refresh } }
  thread.report_on_exception = false
  FileUtils.mkdir_p("#{tree}/churn/new#{i % 7}/#{i}/x")
  FileUtils.rm_rf("#{tree}/churn/new#{(i + 3) % 7}")
  thread.kill.join
end
snapshot.refresh
check.call("a snapshot that was interrupted", snapshot.paths == Frugal.walk("#{tree}/churn").to_a && snapshot.paths != listed)

# -- several threads at once --
expected = Frugal.walk("#{tree}/wide").to_a
results = Array.new(8) { Thread.new { Array.new(20) { Frugal.walk("#{tree}/wide", threads: 4).to_a == expected } } }.flat_map(&:value)
check.call("threads", results.all?)
list = Frugal.walk("#{tree}/wide")
results = Array.new(4) { Thread.new { list.to_a == expected && list.map { |path| path } == expected } }.map(&:value)
check.call("a shared list", results.all?)

# -- options of the engine --
check.call("cut", Dir.chdir("#{tree}/wide") { Frugal::Native.engine::Tree.list(".", { sort: true, cut: 2 }).to_a } ==
                  expected.map { |path| path.delete_prefix("#{tree}/wide/") })
check.call("prefix", Frugal::Native.engine::Tree.list("#{tree}/wide", { sort: true, prefix: "f1" }).to_a ==
                     expected.select { |path| File.basename(path).start_with?("f1") })
check.call("index", (Frugal::Native.engine::Tree.list("#{tree}/wide", {}).at(expected.size) rescue $!.class) == IndexError)
jar = Dir["#{ENV["JRUBY_JARS"] || "#{__dir__}/../../tmp/jruby/lib"}/jruby-stdlib-*.jar"].first
inside = Frugal.walk("#{jar}!/META-INF")
check.call("a jar", inside.nil? || inside.all?(/META-INF/))

check.call("descriptors #{own.call}", own.call.empty?)
puts "done"
