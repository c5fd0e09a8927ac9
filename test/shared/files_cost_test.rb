# frozen_string_literal: true

require_relative "../test_helper"
require_relative "files_reference"

# The Cost lines of Frugal::Files, counted. The pure engine resolves the path of its
# root each time; but what is not there opens nothing and raises nothing under it, too.
class FilesCostTest < Frugal::TestCase
  include FilesReference

  C = Frugal::Native.engine_name == :c
  SMALL = 65_536

  def test_a_miss
    write("file")
    mkdir("directory")
    app = patient
    %w[/missing /missing/below /file/below /directory / /../%2e%2e/missing].each do |path|
      assert_cost(exceptions: 0, syscalls: C && path != "/" ? %w[lstat] : nil) { app.call(env(path)) }
      assert_cost(syscalls: 0, only: /open/) { app.call(env(path)) }
    end
    assert_cost(syscalls: 0, exceptions: 0) { [app.call(env("/a\0")), app.call(env("/a", "POST"))] }
    assert_equal 5, objects { |asked| app.call(asked) } if C
  end

  def test_a_file
    skip "the pure engine has no call that stays beneath a directory" unless C
    write("small", "x" * SMALL)
    write("big", "x" * (SMALL + 1))
    app = patient(precompressed: false)
    opened = %w[lstat open fstat]
    date = File.mtime(path("small")).httpdate
    { ["/small", "GET", {}] => [*opened, "pread", "close"], ["/small", "HEAD", {}] => [*opened, "close"], ["/small", "OPTIONS", {}] => [*opened, "close"],
      ["/small", "GET", { if_modified_since: date }] => [*opened, "close"], ["/small", "GET", { if_none_match: "*" }] => [*opened, "close"],
      ["/small", "GET", { range: "bytes=1-2" }] => [*opened, "pread", "close"], ["/small", "GET", { range: "bytes=99999-" }] => [*opened, "close"],
      ["/big", "GET", {}] => [*opened, "pread", "pread", "close"] }.each do |(path, verb, headers), calls|
      assert_cost(syscalls: calls, exceptions: 0) { ask(app, path, verb: verb, **headers) }
    end
  end

  # With all links followed: the same, but for openat in place of openat2.
  def test_links_that_are_followed
    write("outside/file", "x")
    symlink(path("outside"), "link")
    app = patient(follow: true, precompressed: false)
    %w[/link/missing /link/file/below /missing /link].each do |path|
      assert_cost(exceptions: 0, syscalls: C ? %w[stat] : nil) { app.call(env(path)) }
      assert_cost(syscalls: 0, only: /open/) { app.call(env(path)) }
    end
    assert_cost(syscalls: C ? %w[stat open fstat pread close] : nil, exceptions: 0) { ask(app, "/link/file") }
  end

  def test_variants
    skip "the pure engine has no call that stays beneath a directory" unless C
    %w[zipped zipped.gz zipped.br plain].each { |name| write(name, "x") }
    app = patient
    file = %w[lstat open fstat]
    assert_cost(syscalls: [*file, "lstat", "lstat", "pread", "close"], exceptions: 0) { ask(app, "/plain", accept_encoding: "gzip, br") }
    assert_cost(syscalls: [*file, *file, "close", "pread", "close"], exceptions: 0) { ask(app, "/zipped", accept_encoding: "gzip, br") }
    assert_cost(syscalls: [*file, *file, "close", "pread", "close"], exceptions: 0) { ask(app, "/zipped", accept_encoding: "gzip") }
  end

  def test_the_root
    skip "the pure engine resolves it each time" unless C
    app = patient(before: false)
    assert_cost(syscalls: %w[open fstat lstat lstat], exceptions: 0) { 2.times { app.call(env) } }
    beneath = Frugal::Native.engine::Beneath.new(tree, false, 0)
    assert_cost(syscalls: %w[open fstat lstat stat lstat], exceptions: 0) { 2.times { beneath.open("/missing") } }
    gone = Frugal::Native.engine::Beneath.new(path("missing"), false, 1000)
    assert_cost(syscalls: %w[open open], exceptions: 0) { 2.times { gone.open("/missing") } }
  end

  # -- for long --

  def test_random_paths_leave_nothing_behind
    app = patient
    random = Random.new(3)
    walk = -> { 10_000.times { app.call(env("/#{random.rand(2**60).to_s(36)}%2F#{random.rand(99)}")) } }
    walk.call
    GC.start
    before = [ObjectSpace.count_objects[:T_STRING], descriptors]
    walk.call
    GC.start
    after = [ObjectSpace.count_objects[:T_STRING], descriptors]
    assert_in_delta before.first, after.first, 500
    assert_equal before.last, after.last
  end

  private

  # Does not look for its root again while this test runs.
  def patient(before: true, follow: false, **options)
    files(**options).tap do |app|
      app.instance_variable_set(:@beneath, Frugal::Native.engine::Beneath.new(tree, follow, 3_600_000))
      app.call(env) if before
    end
  end

  def env(path = "/missing", *more, **headers) = super

  # The fewest that a request allocates: Ruby itself makes one now and then.
  def objects
    asked = env
    allocations { yield asked }
  end

  def descriptors = Dir.children("/proc/self/fd").size
end
