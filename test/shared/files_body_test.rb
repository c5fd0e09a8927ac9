# frozen_string_literal: true

require_relative "../test_helper"
require_relative "files_reference"

# What Frugal::Files has and Rack::Files does not: tags, variants, and bodies that send
# the file that was opened.
class FilesBodyTest < Frugal::TestCase
  include FilesReference

  BIG = 300_000

  # -- tags --

  def test_each_file_has_a_tag_that_changes_with_it
    write("a", "one")
    tag = tag_of("/a")
    assert_match(/\A"[0-9a-z-]+"\z/, tag)
    assert_equal tag, tag_of("/a")
    assert_equal tag, ask(files, "/a", range: "bytes=0-1")[1]["etag"]
    write("a", "more")
    refute_equal tag, changed = tag_of("/a")
    write("a", "more", mtime: Time.at(1_700_000_000, 1, :nsec))
    refute_equal changed, tag_of("/a")
  end

  def test_a_young_file_has_a_tag_that_matches_nothing
    write("a", "one", mtime: nil)
    weak = tag_of("/a")
    assert_match(%r{\AW/"}, weak)
    assert_equal 200, status(files, "/a", if_none_match: weak)
    assert_equal 304, status(files, "/a", if_none_match: "*")
    assert_equal 200, status(files, "/a", range: "bytes=0-1", if_range: weak.delete_prefix("W/")), "not for ranges"
    assert_equal 200, status(files, "/a", range: "bytes=0-1", if_range: File.mtime(path("a")).httpdate)
    old = Time.now - 10
    File.utime(old, old, path("a"))
    refute_match(/\AW/, tag_of("/a"))
  end

  # On a file system that counts seconds, or within one tick of another's clock. The client has the first bytes.
  def test_two_changes_with_the_same_mtime
    time = Time.at(Time.now.to_i)
    write("a", "one", mtime: time)
    first = tag_of("/a")
    write("a", "two", mtime: time)
    assert_equal [200, "two"], ask(files, "/a", if_none_match: first).values_at(0, 2)
    sleep(Frugal::Files::Representation::YOUNG)
    assert_equal [200, "two"], ask(files, "/a", if_none_match: first).values_at(0, 2), "and later"
    assert_equal 304, status(files, "/a", if_none_match: tag_of("/a"))
  end

  def test_if_none_match
    write("a", "one")
    tag = tag_of("/a")
    app = Frugal::Files.new(tree, { "cache-control" => "public", "Expires" => "0", "x-other" => "1" })
    [tag, "W/#{tag}", "\"x\", #{tag}", "*", " * "].each do |tags|
      assert_equal [304, { "cache-control" => "public", "Expires" => "0", "etag" => tag }, ""], ask(app, "/a", if_none_match: tags)
      assert_equal 304, status(app, "/a", if_none_match: tags, range: "bytes=0-1", verb: "HEAD")
    end
    ["\"x\"", tag.delete("\""), "", "\"*\"", tag.chop].each { |tags| assert_equal 200, status(app, "/a", if_none_match: tags), tags }
    date = File.mtime(path("a")).httpdate
    ["\xFF", "\xFF\"*"].each { |bytes| assert_equal 200, status(app, "/a", if_none_match: bytes, range: bytes, if_modified_since: bytes) }
    assert_equal 304, status(app, "/a", if_modified_since: date)
    assert_equal 200, status(app, "/a", if_modified_since: date, if_none_match: "\"x\""), "the tag takes precedence"
    assert_equal [404, 405], [status(app, "/b", if_none_match: "*"), status(app, "/a", if_none_match: "*", verb: "POST")]
  end

  def test_if_range
    write("a", "0123456789")
    tag = tag_of("/a")
    date = File.mtime(path("a")).httpdate
    [tag, date].each { |same| assert_equal [206, "12"], ask(files, "/a", range: "bytes=1-2", if_range: same).values_at(0, 2) }
    ["\"x\"", "W/#{tag}", Time.at(0).httpdate, ""].each do |other|
      assert_equal [200, "0123456789"], ask(files, "/a", range: "bytes=1-2", if_range: other).values_at(0, 2)
    end
    assert_equal 200, status(files, "/a", if_range: "\"x\"")
  end

  # -- variants --

  def test_the_best_variant_that_the_client_accepts
    write("a.js", "plain")
    write("a.js.gz", "gzipped")
    write("a.js.br", "brotlied")
    { "gzip" => "gzipped", "br" => "brotlied", "gzip, deflate, br" => "brotlied", "br;q=0.5, gzip" => "gzipped", "gzip;q=0, br;q=0" => "plain",
      "*" => "brotlied",
      "br;q=0, *" => "gzipped", "identity" => "plain", "" => "plain", nil => "plain", "x-gzip" => "gzipped", "GZIP" => "gzipped", "bro" => "plain",
      "gzip ; q=1" => "gzipped", ";q=1,,gzip" => "gzipped", "\xFF, gzip" => "gzipped", "\xFF;, br" => "brotlied",
      "gzip br" => "plain", "xgzip" => "plain", " br\t" => "brotlied" }.each do |accepted, body|
      _, headers, sent = ask(files, "/a.js", **(accepted ? { accept_encoding: accepted } : {}))
      coding = { "gzipped" => "gzip", "brotlied" => "br" }[body]
      assert_equal [body, coding, "text/javascript", body.bytesize.to_s, "accept-encoding"],
                   [sent, *headers.values_at("content-encoding", "content-type", "content-length", "vary")], accepted.inspect
    end
    assert_equal %w[plain gzipped], ["/a.js", "/a.js.gz"].map { |path| ask(files(precompressed: false), path, accept_encoding: "gzip").last }
    assert_nil ask(files, "/a.js.gz", accept_encoding: "gzip")[1]["content-encoding"]
  end

  def test_a_variant_has_its_own_tag_and_the_date_of_its_original
    write("a.js", "plain")
    write("a.js.gz", "gzipped", mtime: Time.at(1_700_000_100))
    plain, zipped = [{}, { accept_encoding: "gzip" }].map { |request| ask(files, "/a.js", **request)[1] }
    refute_equal plain["etag"], zipped["etag"]
    assert_equal plain["last-modified"], zipped["last-modified"]
    status, headers, = ask(files, "/a.js", accept_encoding: "gzip", if_none_match: zipped["etag"])
    assert_equal [304, zipped["etag"], "accept-encoding"], [status, *headers.values_at("etag", "vary")]
    assert_equal 200, status(files, "/a.js", accept_encoding: "gzip", if_none_match: plain["etag"])
    assert_equal 304, status(files, "/a.js", if_none_match: plain["etag"])
  end

  def test_a_range_is_one_of_the_original_unless_if_range_has_the_tag_of_the_variant
    write("a.js", "plain")
    write("a.js.gz", "gzipped")
    tag = ask(files, "/a.js", accept_encoding: "gzip")[1]["etag"]
    _, headers, body = ask(files, "/a.js", accept_encoding: "gzip", range: "bytes=0-1")
    assert_equal ["pl", nil, "accept-encoding", "bytes 0-1/5"], [body, *headers.values_at("content-encoding", "vary", "content-range")]
    status, headers, body = ask(files, "/a.js", accept_encoding: "gzip", range: "bytes=0-1", if_range: tag)
    assert_equal [206, "gz", "gzip", "bytes 0-1/7"], [status, body, *headers.values_at("content-encoding", "content-range")]
    assert_equal [200, "gzipped"], ask(files, "/a.js", accept_encoding: "gzip", range: "bytes=0-1", if_range: "\"x\"").values_at(0, 2)
    assert_equal [200, "plain"], ask(files, "/a.js", range: "bytes=0-1", if_range: tag).values_at(0, 2), "the client does not accept the variant any more"
  end

  def test_variants_that_are_ignored
    write("old.js", "plain")
    write("old.js.gz", "of an earlier one", mtime: Time.at(1_600_000_000))
    write("only.js.gz", "gzipped")
    write("dir.js", "plain")
    mkdir("dir.js.gz")
    write("link.js", "plain")
    symlink("old.js.gz", "link.js.gz")
    assert_equal "plain", ask(files, "/old.js", accept_encoding: "gzip").last
    assert_nil ask(files, "/old.js", accept_encoding: "gzip")[1]["vary"]
    assert_equal 404, status(files, "/only.js", accept_encoding: "gzip")
    %w[/dir.js /link.js].each { |path| assert_equal "plain", ask(files, path, accept_encoding: "gzip").last }
  end

  def test_vary_is_added_to_the_given_vary
    write("a", "plain")
    write("a.gz", "gzipped")
    app = Frugal::Files.new(tree, { "vary" => "origin" })
    assert_equal ["origin, accept-encoding"] * 2, [{}, { if_none_match: "*" }].map { |request| ask(app, "/a", **request)[1]["vary"] }
    assert_equal "origin", ask(app, "/a.gz")[1]["vary"]
  end

  # -- bodies --

  def test_the_open_file_is_what_is_sent
    write("small", "before")
    write("big", "b" * BIG)
    bodies = %w[/small /big].map { |path| files.call(env(path)).last }
    part = files.call(env("/big", range: "bytes=1-3")).last
    %w[small big].each { |name| File.unlink(path(name)) || write(name, "after") }
    assert_equal ["before", "b" * BIG, "bbb"], [*bodies, part].map { |body| body.enum_for(:each).to_a.join }
    [*bodies, part].each { |body| body.close if body.respond_to?(:close) }
  end

  def test_to_path_names_the_descriptor
    skip "descriptors have no paths here" unless File.directory?("/proc/self/fd") && RUBY_ENGINE != "jruby"
    write("big", "b" * BIG)
    body = files.call(env("/big")).last
    File.rename(path("big"), path("moved"))
    symlink("/etc/passwd", "big")
    assert_equal "b" * BIG, File.read(body.to_path)
    assert_equal "b" * BIG, body.enum_for(:each).to_a.join
    body.close
    assert_raises(IOError) { body.to_path }
    refute_respond_to files.call(env("/moved", range: "bytes=0-1")).last, :to_path
  end

  def test_to_path_names_the_file_for_a_front_server
    write("sub/small", "text")
    body = Frugal::Files.new(tree, x_sendfile: true).call(env("//sub/./small")).last
    assert_equal [path("sub/small"), "text"], [body.to_path, body.enum_for(:each).to_a.join]
    body.close
  end

  def test_behind_rack_sendfile
    require "rack/sendfile"
    write("sub/ü b", "text")
    app = Frugal::Files.new(tree, x_sendfile: true)
    { %w[x-sendfile] => path("sub/ü b"),
      ["x-accel-redirect", [["#{tree}/", "/internal/"]]] => "/internal/sub/%C3%BC%20b" }.each do |(variation, mapping), header|
      status, headers, body = ask(Rack::Sendfile.new(app, variation, mapping || []), "/sub/%C3%BC%20b")
      assert_equal [200, header, "0", ""], [status, headers[variation], headers["content-length"], body]
    end
    assert_equal "text", ask(Rack::Sendfile.new(files), "/sub/ü b").last
  end

  def test_a_file_that_becomes_shorter_raises
    write("big", "b" * BIG)
    body = files.call(env("/big")).last
    File.truncate(path("big"), 100_000)
    sent = +""
    error = assert_raises(EOFError) { body.each { |part| sent << part } }
    assert_equal [100_000, "big became shorter while it was sent"], [sent.size, error.message]
    body.close
    assert_raises(EOFError) { files.call(env("/big")).last.tap { File.truncate(path("big"), 65_536 + 1) }.each {} }
  end

  def test_a_file_that_is_sent_by_to_path_and_changes_its_size
    skip "descriptors have no paths here" unless File.directory?("/proc/self/fd") && RUBY_ENGINE != "jruby"
    write("big", "b" * BIG)
    [100_000, BIG].each do |size|
      body = files.call(env("/big")).last
      body.to_path
      File.truncate(path("big"), size)
      assert_raises(EOFError) { body.close }
      body.close
    end
    body = files.call(env("/big")).last
    body.to_path
    body.close
  end

  # A small file is read before its content-length is set.
  def test_the_content_length_is_right_while_the_file_is_written
    file = write("log", "x")
    done = false
    writer = Thread.new { File.truncate(file, rand(5000)) && File.write(file, "y" * rand(5000)) until done }
    app = files(precompressed: false)
    300.times do
      _, headers, body = ask(app, "/log")
      assert_equal headers["content-length"], body.bytesize.to_s
    end
  ensure
    done = true
    writer.join
  end

  def test_a_closed_body_is_closed
    write("big", "b" * BIG)
    body = files.call(env("/big")).last
    body.each { |part| break part }
    body.close
    assert_nil body.close
    assert_raises(IOError) { body.each {} }
  end

  def test_given_headers_take_precedence_as_with_stock
    write("a.html", "text")
    headers = { "content-type" => "a/b", "last-modified" => "never", "etag" => "\"mine\"", "content-length" => "1" }
    assert_equal headers.merge("content-length" => "4"), ask(Frugal::Files.new(tree, headers), "/a.html")[1]
    assert_equal [nil, "x/y"], ["/a", "/b.unknown"].zip([nil, "x/y"]).map { |path, type| write(path) && ask(Frugal::Files.new(tree, nil, type), path)[1]["content-type"] }
  end

  private

  def tag_of(path) = ask(files, path)[1]["etag"]
end
