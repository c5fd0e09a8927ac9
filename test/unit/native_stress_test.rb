# frozen_string_literal: true

require_relative "../test_helper"

# The C engine's probes while a garbage collection runs at every allocation, and while other
# threads take the VM lock whenever it is released. An object that C uses must be protected.
class NativeStressTest < Frugal::TestCase
  Native = Frugal::Native.engine

  # Its to_path returns a new String, to which only the C code has a reference.
  Name = Struct.new(:folder, :name) do
    def to_path = "#{folder}/#{name}"
  end

  def setup
    @file = write("dir/file", "text" * 5000, mtime: Time.at(1, 2, :nsec))
    @link = symlink("long/" * 600, "link")
    12.times { |i| write("dir/#{"x" * i * 20}#{i}") }
  end

  alone def test_every_probe_under_gc_stress
    expected = answers
    GC.stress = true
    assert_equal expected, answers
  ensure
    GC.stress = false
  end

  def test_every_probe_in_many_threads
    expected = answers
    noise = Thread.new { loop { sleep(0.001) && GC.start } }
    threads = Array.new(4) { Thread.new { Array.new(10) { answers }.uniq } }
    threads.each { |thread| assert_equal [expected], thread.value }
  ensure
    noise.kill.join
  end

  alone def test_faults_under_gc_stress
    File.symlink("loop", path("loop"))
    %i[mtime size stat type readlink entries children read].each do |probe|
      GC.stress = true
      error = assert_raises(Errno::ELOOP) { Native.public_send(probe, "#{path("loop")}/x") }
      GC.stress = false
      assert_includes error.message, "loop/x"
    end
  ensure
    GC.stress = false
  end

  private

  def answers
    [Native.mtime("#{tree}/dir/file").nsec, Native.size(to_path("dir/file")), Native.stat("#{tree}/dir/file").ino,
     Native.exist?(to_path("dir/file")), Native.exist?(to_path("none")), Native.type(to_path("link")),
     Native.readlink(to_path("link")), Native.entries(to_path("dir")), Native.children(to_path("dir")),
     Native.read(to_path("dir/file")), Native.stat(to_path("none")), Native.readlink(to_path("none")),
     Native.mtimes([to_path("dir/file"), to_path("none")]).map { |time| time&.nsec },
     Native.stats([to_path("dir/file"), to_path("none"), "#{tree}/dir"]).map { |stat| stat&.ino }]
  end

  def to_path(name) = Name.new(tree, name)
end
