# frozen_string_literal: true

require_relative "../test_helper"
require_relative "files_reference"
require_relative "files_swapper"

# Another process replaces a directory and a file by links that lead outside and back, as fast
# as it can, while both are requested. FILES_RACE=600 runs for so many seconds.
class FilesRaceTest < Frugal::TestCase
  include FilesReference

  SECONDS = Float(ENV.fetch("FILES_RACE", "0.5"))
  INSIDE = "in" * 40_000
  OUTSIDE = "this lies outside"

  def setup
    super
    write("root/dir/file", INSIDE)
    write("kept", INSIDE)
    write("outside/file", OUTSIDE)
    symlink("../outside", "link")
    symlink("../outside/file", "secret_link")
  end

  [false, :inside].each do |follow|
    define_method("test_nothing_outside_is_ever_served_#{"where_links_are_followed" if follow}") do
      skip "the pure engine cannot check here what it has opened" if Frugal::Native.engine_name == :pure && !Frugal::Native.engine::BeneathFile::DESCRIPTORS
      seen = Hash.new(0)
      swapping do
        look(Frugal::Files.new(path("root"), follow_symlinks: follow)) do |status, body|
          seen[[status, body]] += 1
          seen.values_at([200, :inside], [404, :other]).min > 10
        end
      end
      assert_empty seen.keys - [[200, :inside], [404, :other]]
      puts "\nrace#{", links followed" if follow}: #{seen}" if ENV["FILES_RACE"]
      assert_operator seen.values_at([200, :inside], [404, :other]).min, :>, 10, "the replacements are noticed"
    end
  end

  # The control.
  def test_stock_serves_files_outside
    found = false
    swapping { look(Rack::Files.new(path("root")), 0) { |_, body| found ||= body == :outside } }
    assert found
  end

  private

  # Under JRuby a thread does it, which runs while others do.
  def swapping(&block) = RUBY_ENGINE == "jruby" ? swapping_in_a_thread(&block) : swapping_in_a_process(&block)

  def swapping_in_a_process
    swapper = IO.popen([RUBY, "#{__dir__}/files_swapper.rb", tree])
    swapper.gets
    yield
  ensure
    Process.kill(:KILL, swapper.pid)
    swapper.close
  end

  def swapping_in_a_thread
    busy = true
    swapper = Thread.new { FilesSwapper.run(tree) { busy } }
    yield
  ensure
    busy = false
    swapper.value
  end

  # Sends requests for so many seconds at least, and until the block returns true.
  def look(app, seconds = SECONDS)
    start = now
    enough = false
    until (enough && now - start > seconds) || now - start > seconds + 30
      %w[/dir/file /file].each do |path|
        status, _, body = ask(app, path)
        enough = yield status, { INSIDE => :inside, OUTSIDE => :outside }.fetch(body, :other)
      rescue SystemCallError
        raise unless app.is_a?(Rack::Files) # it opens the path again after it has checked it
      end
    end
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
