# frozen_string_literal: true

require_relative "../test_helper"
require_relative "files_reference"

# Tests the Cost line of Frugal::Files. The pure engine makes more calls, because it resolves the path of the
# root for each request, but for a missing file it, too, opens nothing and raises nothing.
class FilesCostTest < Frugal::TestCase
  include FilesReference

  C = Frugal::Native.engine_name == :c
  SMALL = 65_536

  def test_a_miss
    write("file")
    mkdir("directory")
    app = application
    %w[/missing /missing/below /file/below /directory / /../%2e%2e/missing].each do |path|
      assert_cost(exceptions: 0, syscalls: C && path != "/" ? %w[lstat] : nil) { app.call(env(path)) }
      assert_cost(syscalls: 0, only: /open/) { app.call(env(path)) }
    end
    assert_cost(syscalls: 0, exceptions: 0) { [app.call(env("/a\0")), app.call(env("/a", "POST"))] }
    assert_equal 5, objects { |asked| app.call(asked) } if C
  end

  def test_a_file
    skip "the pure engine makes more calls" unless C
    write("small", "x" * SMALL)
    write("big", "x" * (SMALL + 1))
    app = application(precompressed: false)
    opened = %w[lstat open fstat]
    date = File.mtime(path("small")).httpdate
    { ["/small", "GET", {}] => [*opened, "pread", "close"], ["/small", "HEAD", {}] => [*opened, "close"], ["/small", "OPTIONS", {}] => [*opened, "close"],
      ["/small", "GET", { if_modified_since: date }] => [*opened, "close"], ["/small", "GET", { if_none_match: "*" }] => [*opened, "close"],
      ["/small", "GET", { range: "bytes=1-2" }] => [*opened, "pread", "close"], ["/small", "GET", { range: "bytes=99999-" }] => [*opened, "close"],
      ["/big", "GET", {}] => [*opened, "pread", "pread", "close"] }.each do |(path, verb, headers), calls|
      assert_cost(syscalls: calls, exceptions: 0) { ask(app, path, verb: verb, **headers) }
    end
  end

  # If all links are followed: the same calls, but openat in place of openat2.
  def test_links_that_are_followed
    write("outside/file", "x")
    symlink(path("outside"), "link")
    app = application(follow: true, precompressed: false)
    %w[/link/missing /link/file/below /missing /link].each do |path|
      assert_cost(exceptions: 0, syscalls: C ? %w[stat] : nil) { app.call(env(path)) }
      assert_cost(syscalls: 0, only: /open/) { app.call(env(path)) }
    end
    assert_cost(syscalls: C ? %w[stat open fstat pread close] : nil, exceptions: 0) { ask(app, "/link/file") }
  end

  def test_variants
    skip "the pure engine makes more calls" unless C
    %w[zipped zipped.gz zipped.br plain].each { |name| write(name, "x") }
    app = application
    file = %w[lstat open fstat]
    assert_cost(syscalls: [*file, "lstat", "lstat", "pread", "close"], exceptions: 0) { ask(app, "/plain", accept_encoding: "gzip, br") }
    assert_cost(syscalls: [*file, *file, "close", "pread", "close"], exceptions: 0) { ask(app, "/zipped", accept_encoding: "gzip, br") }
    assert_cost(syscalls: [*file, *file, "close", "pread", "close"], exceptions: 0) { ask(app, "/zipped", accept_encoding: "gzip") }
  end

  def test_the_root
    skip "the pure engine resolves its path for each request" unless C
    app = application(before: false)
    assert_cost(syscalls: %w[open fstat lstat lstat], exceptions: 0) { 2.times { app.call(env) } }
    beneath = Frugal::Native.engine::Beneath.new(tree, false, 0)
    assert_cost(syscalls: %w[open fstat lstat stat lstat], exceptions: 0) { 2.times { beneath.open("/missing") } }
    gone = Frugal::Native.engine::Beneath.new(path("missing"), false, 1000)
    assert_cost(syscalls: %w[open open], exceptions: 0) { 2.times { gone.open("/missing") } }
  end

  # -- memory --

  def test_random_paths_use_no_more_memory
    app = application
    random = Random.new(3)
    walk = -> { 10_000.times { app.call(env("/#{random.rand(2**60).to_s(36)}%2F#{random.rand(99)}")) } }
    walk.call
    GC.start
    before = ObjectSpace.count_objects[:T_STRING]
    assert_closes_its_descriptors(&walk)
    GC.start
    assert_operator ObjectSpace.count_objects[:T_STRING] - before, :<=, 500
  end

  private

  # An application that does not check the path of its root again while the test runs.
  def application(before: true, follow: false, **options)
    files(**options).tap do |app|
      app.instance_variable_set(:@beneath, Frugal::Native.engine::Beneath.new(tree, follow, 3_600_000))
      app.call(env) if before
    end
  end

  def env(path = "/missing", *more, **headers) = super

  # The objects of a request.
  def objects
    asked = env
    allocations { yield asked }
  end
end
