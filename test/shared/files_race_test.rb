# frozen_string_literal: true

require_relative "../test_helper"
require_relative "files_reference"

# Another process swaps a directory and a file for links that lead outside, as fast
# as it can, while both are asked for. FILES_RACE=600 for as many seconds.
class FilesRaceTest < Frugal::TestCase
  include FilesReference

  SECONDS = Float(ENV.fetch("FILES_RACE", "0.8"))
  INSIDE = "in" * 40_000
  OUTSIDE = "this lies outside"
  SWAP = <<~'RUBY'
    Dir.chdir(ARGV.first)
    $stdout.sync = true
    puts "ready"
    loop do
      File.rename("root/dir", "real")
      File.rename("link", "root/dir")
      File.rename("root/dir", "link")
      File.rename("real", "root/dir")
      File.rename("secret_link", "root/file")
      File.rename("root/file", "secret_link")
      File.link("kept", "new")
      File.rename("new", "root/file")
    end
  RUBY

  def setup
    super
    write("root/dir/file", INSIDE)
    write("kept", INSIDE)
    write("outside/file", OUTSIDE)
    symlink("../outside", "link")
    symlink("../outside/file", "secret_link")
  end

  [false, true].each do |follow|
    define_method("test_nothing_outside_is_ever_served_#{"where_links_are_followed" if follow}") do
      skip "plain Ruby cannot tell what it has opened here" if Frugal::Native.engine_name == :pure && !Frugal::Native.engine::BeneathFile::DESCRIPTORS
      seen = Hash.new(0)
      swapping { look(Frugal::Files.new(path("root"), follow_symlinks: follow)) { |status, body| seen[[status, body]] += 1 } }
      assert_empty seen.keys - [[200, :inside], [404, :other]]
      puts "\nrace#{", links followed" if follow}: #{seen}" if ENV["FILES_RACE"]
      assert_operator seen[[200, :inside]], :>, 10
      assert_operator seen[[404, :other]], :>, 10, "the swaps were seen"
    end
  end

  # The control: stock is deceived.
  def test_stock_serves_what_lies_outside
    found = false
    swapping { look(Rack::Files.new(path("root"))) { |_, body| found ||= body == :outside } }
    assert found
  end

  private

  def swapping
    swapper = IO.popen([RUBY, "-e", SWAP, tree])
    swapper.gets
    yield
  ensure
    Process.kill(:KILL, swapper.pid)
    swapper.close
  end

  def look(app)
    limit = now + SECONDS
    while now < limit
      %w[/dir/file /file].each do |path|
        status, _, body = ask(app, path)
        yield status, { INSIDE => :inside, OUTSIDE => :outside }.fetch(body, :other)
      rescue SystemCallError
        raise unless app.is_a?(Rack::Files) # which looks again for what it has found
      end
    end
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end
