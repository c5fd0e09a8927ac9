# frozen_string_literal: true

require_relative "../test_helper"
require_relative "files_reference"
require "socket"

# The responses of Frugal::Files, with the engine that FRUGAL_ENGINE names. test/fuzz/files_fuzz.rb has random
# trees and requests.
class FilesTest < Frugal::TestCase
  include FilesReference
  include Users

  def teardown
    File.chmod(0o700, tree)
    super
  end

  def test_the_same_as_stock
    write("a.html", "<p>")
    write("sub/ü.txt", "text")
    write("sub/empty")
    write("sub/x y", "spaces")
    write("big.bin", Random.new(1).bytes(200_000))
    paths = %w[/a.html /sub/%C3%BC.txt /sub/empty /sub/x%20y /big.bin /sub /sub/ / /missing /a.html/ /a.html/. //sub///empty /sub/../a.html
               /missing/../a.html /../a.html /../../a.html/.. a.html /a.html/below /%61.html /a%2ehtml /sub%2Fempty] + ["", "/sub/ü.txt"]
    requests = [{}, { verb: "HEAD" }, { verb: "OPTIONS" }, { verb: "POST" }, { verb: "get" }, { range: "bytes=1-2" }, { range: "bytes=0-0,2-2" },
                { range: "bytes=9999999-" }, { range: "bytes=-1", verb: "HEAD" }, { if_modified_since: Time.at(1_700_000_000).httpdate }]
    app = files
    paths.product(requests) { |path, request| assert_as_stock(path, app: app, **request) }
  end

  def test_hostile_paths
    write("a", "a")
    write("%2e%2e/etc/passwd", "only a name")
    ["/%2e%2e%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/%252e%252e%252fetc%252fpasswd", "/%252e%252e/etc/passwd",
     "/..\\..\\etc\\passwd",
     "/..%5c..%5cetc%5cpasswd", "/a%00.html", "/a\0", "/a/../\0/../a", "/%", "/%a", "/%zz", "/%ff%fe", "/%c0%ae%c0%ae/etc/passwd", "/%ef%bf%bd", "/~root", "/~",
     "/.", "/...", "/....//etc/passwd", "/etc/passwd", "//etc/passwd", "/a%20", "/a.", "/a::$DATA", "/nul", "/\n", "/%0a", "/a?b", "/a;b",
     "/#{"x" * 300}", "/#{"x" * 5000}", "/#{"x/" * 3000}", "/#{"../" * 3000}a", "/#{"x" * 5000}/../a", "/#{"%41" * 2000}"].each do |path|
      assert_as_stock(path)
      assert_as_stock(path.b) if path.ascii_only?
    end
  end

  def test_invalid_bytes_are_a_bad_request_and_stock_raises
    ["/\xFF", "/a\xFFb%41", "/\xC3"].each do |path|
      assert_raises(ArgumentError) { ask(Rack::Files.new(tree), path) }
      assert_equal [400, "Bad Request\n"], ask(files, path).values_at(0, 2)
    end
    assert_equal 404, status(files, "/\xFF".b)
  end

  def test_names_with_invalid_bytes_are_found
    skip "names are characters here" if RUBY_ENGINE == "jruby" && Frugal::Native.engine_name == :pure
    name = "#{tree}/$(printf '\\377\\376').html" # JRuby's File can neither make nor remove it
    system("printf bytes >\"#{name}\"", exception: true)
    assert_as_stock("/%FF%FE.html".b) if RUBY_ENGINE == "ruby"
    assert_equal "bytes", ask(files, "/%FF%FE.html".b).last
  ensure
    system("rm -f \"#{name}\"") if name
  end

  # Stock raises: for it, the root and the path have different encodings.
  def test_a_root_that_is_not_ascii
    root = mkdir("würzel")
    write("würzel/ü", "text")
    assert_equal [200, "text"], ask(Frugal::Files.new(root), "/%C3%BC".b).values_at(0, 2)
  end

  def test_methods_and_their_order
    write("a")
    assert_equal [405, { "content-type" => "text/plain", "content-length" => "19", "x-cascade" => "pass",
                         "allow" => "GET, HEAD, OPTIONS" }, "Method Not Allowed\n"],
                 ask(files, "/missing\0", verb: "PUT")
    assert_equal [405, ""], ask(files, "/a", verb: "").then { |status, _, _| [status, ""] }
    assert_equal 405, ask(files, "/a", verb: nil).first
  end

  # -- other than regular files --

  def test_fifos_sockets_devices_and_directories_are_not_served
    File.mkfifo(path("fifo"))
    UNIXServer.new(path("socket")).close
    mkdir("directory")
    %w[/fifo /socket /directory /directory/].each { |path| assert_as_stock(path) }
    devices = Frugal::Files.new("/dev", follow_symlinks: :inside)
    %w[/null /zero /tty /stdin].each { |path| assert_equal 404, status(devices, path) }
    devices = Frugal::Files.new("/dev", follow_symlinks: true)
    %w[/null /zero /tty].each { |path| assert_equal 404, status(devices, path) }
  end

  def test_files_without_permission_are_not_found
    write("closed/file", "secret")
    write("file", "secret")
    File.chmod(0, path("closed"), path("file"))
    File.chmod(0o755, tree)
    as_nobody do
      %w[/closed/file /file /closed].each do |path|
        assert_equal [404, "File not found: #{path}\n"], ask(files, path).values_at(0, 2)
        assert_as_stock(path) unless RUBY_ENGINE == "jruby" # there, stock checks root's permissions
      end
    end
  ensure
    File.chmod(0o700, path("closed"))
  end

  def test_files_that_report_no_size
    skip "there is no /proc here" unless File.file?("/proc/self/status")
    proc = Frugal::Files.new("/proc/1", precompressed: false)
    _, headers, body = ask(proc, "/status")
    assert_match(/\AName:/, body)
    assert_equal body.bytesize.to_s, headers["content-length"]
    assert_equal [206, body[0, 5]], ask(proc, "/status", range: "bytes=0-4").values_at(0, 2)
    assert_equal [206, body[0, 1]], ask(proc, "/status", range: "bytes=0-0,2-2").then { |status, _, parts| [status, parts[/\r\n\r\n(.)/m, 1]] }
  end

  # As servers of NFS and SMB take leases: opening the file must wait until the holder gives it up.
  def test_a_file_with_a_lease
    skip "only Linux has leases" unless RUBY_PLATFORM.include?("linux") && Process.respond_to?(:fork)
    write("file", "text")
    holder = IO.popen([RUBY, "-e", <<~'RUBY', path("file")])
      SET_LEASE, WRITE, NONE = 1024, 1, 2
      file = File.open(ARGV.first, "r+")
      trap(:IO) { sleep 0.1; file.fcntl(SET_LEASE, NONE) }
      puts((file.fcntl(SET_LEASE, WRITE) rescue "cannot"))
      $stdout.flush
      sleep
    RUBY
    skip "this file system has no leases" if holder.gets == "cannot\n"
    assert_equal [200, "text"], ask(files, "/file").values_at(0, 2)
  ensure
    Process.kill(:KILL, holder.pid) && holder.close if holder
  end

  # -- links --

  def test_links_are_not_followed
    Dir.mktmpdir do |outside|
      File.write("#{outside}/secret", "secret")
      write("inside/file", "text")
      symlink(outside, "out")
      symlink("#{outside}/secret", "secret")
      symlink("inside/file", "in")
      symlink("inside", "folder")
      symlink("loop", "loop")
      %w[/out/secret /secret /in /folder/file /loop /loop/x].each { |path| assert_equal [404, "File not found: #{path}\n"], ask(files, path).values_at(0, 2) }
    end
  end

  def test_links_that_stay_beneath_the_root_may_be_followed
    write("root/inside/file", "text")
    write("root/top", "top")
    write("secret", "secret")
    { "in" => "inside/file", "folder" => "inside", "inside/up" => "../top", "inside/round" => "../folder/up", "out" => "../secret", "outside" => "..",
      "absolute" => path("root/top"), "loop" => "loop", "there and back" => "../root/top", "dot" => "./inside/./file", "slash" => "inside/file/",
      "through" => "top/../top" }.each { |name, target| symlink(target, "root/#{name}") }
    app = Frugal::Files.new(path("root"), follow_symlinks: :inside)
    found = { "/in" => "text", "/folder/file" => "text", "/inside/up" => "top", "/inside/round" => "top", "/folder/round" => "top", "/dot" => "text" }
    found.each { |path, text| assert_equal [200, text], ask(app, path).values_at(0, 2), path }
    %w[/out /outside/secret /outside/root/top /absolute /loop /there%20and%20back /slash /through].each { |path| assert_equal 404, status(app, path), path }
  end

  # As Rack::Files does: a deployment's public/uploads may be a link to a folder outside.
  def test_all_links_may_be_followed
    write("shared/uploads/a.txt", "uploaded")
    write("shared/uploads/.hidden/x", "x")
    write("root/top", "top")
    File.mkfifo(path("shared/fifo"))
    { "uploads" => "../shared/uploads", "absolute" => path("shared/uploads"), "file" => "../shared/uploads/a.txt", "chain" => "absolute/a.txt",
      "up" => "..", "loop" => "loop", "dangling" => "../shared/none", "fifo" => "../shared/fifo", "slash" => "top/", "device" => "/dev/zero",
      "through" => "top/../top", "winding" => "../shared/../root/./top" }.each { |name, target| symlink(target, "root/#{name}") }
    app = Frugal::Files.new(path("root"), follow_symlinks: true)
    stock = Rack::Files.new(path("root"))
    found = %w[/uploads/a.txt /absolute/a.txt /file /chain /up/shared/uploads/a.txt /up/root/up/root/top /winding /top /uploads/.hidden/x]
    found.each { |path| assert_equal 200, status(app, path), path }
    none = %w[/loop /loop/x /dangling /fifo /slash /device /through /uploads /uploads/ /up /uploads/none /uploads/../a.txt /../shared/uploads/a.txt]
    none.each { |path| assert_equal 404, status(app, path), path }
    (found + none).each do |path|
      code, headers, body = ask(app, path)
      assert_equal ask(stock, path), [code, headers.except("etag", "vary"), body], path
    end
  end

  def test_a_variant_may_be_a_link_out_of_the_directory
    write("root/a.js", "plain")
    write("shared/a.js.gz", "zipped")
    symlink("../shared/a.js.gz", "root/a.js.gz")
    answers = [false, :inside, true].map { |follow| ask(Frugal::Files.new(path("root"), follow_symlinks: follow), "/a.js", accept_encoding: "gzip").last }
    assert_equal %w[plain plain zipped], answers
  end

  def test_an_invalid_value_for_follow_symlinks
    [nil, :outside, "inside", 1, :true].each do |value|
      error = assert_raises(Frugal::UsageError) { files(follow_symlinks: value) }
      assert_equal "follow_symlinks: must be false, :inside or true (got #{value.inspect})", error.message
    end
  end

  def test_the_content_type_is_that_of_the_requested_name
    write("target.html", "<p>")
    symlink("target.html", "link.css")
    [:inside, true].each { |follow| assert_equal "text/css", ask(files(follow_symlinks: follow), "/link.css")[1]["content-type"] }
  end

  # -- the root --

  def test_a_root_that_is_a_link_or_is_created_later
    app = Frugal::Files.new(path("later"))
    assert_equal path("later"), app.root
    assert_equal 404, status(app, "/file")
    write("there/file", "text")
    symlink("there", "later")
    assert_equal [200, "text"], ask(app, "/file").values_at(0, 2)
    assert_equal Frugal::Files.new("x/../y", {}).root, File.expand_path("y")
    assert_raises(TypeError) { Frugal::Files.new(nil) }
    assert_raises(ArgumentError) { Frugal::Files.new("a\0b") }
  end

  # Tests the engine's Beneath, with 0 ms as the time for which the root stays valid.
  def test_a_root_that_is_replaced
    write("one/file", "1")
    write("two/file", "22")
    symlink("one", "current")
    beneath = Frugal::Native.engine::Beneath.new(path("current"), false, 0)
    sizes = [beneath.open("/file").size]
    File.symlink("two", path("next"))
    File.rename(path("next"), path("current"))
    sizes << beneath.open("/file").size
    File.unlink(path("current"))
    sizes << beneath.open("/file")
    Dir.mkdir(path("current"))
    sizes << beneath.open("/file")
    write("current/file", "333")
    sizes << beneath.open("/file").size
    assert_equal [1, 2, nil, nil, 3], sizes
  end

  def test_in_a_child_process
    skip "there is no fork here" unless Process.respond_to?(:fork)
    write("file", "text")
    app = files
    ask(app, "/file")
    pid = fork { exit!(ask(app, "/file").values_at(0, 2) == [200, "text"] && status(app, "/missing") == 404) }
    assert_predicate Process.wait2(pid).last, :success?
    assert_equal 200, status(app, "/file")
  end

  def test_in_several_threads
    100.times { |i| write(i.to_s, i.to_s * 1000) }
    app = files
    threads = Array.new(4) { |seed| Thread.new { Array.new(300) { |i| ask(app, "/#{(i * 7 + seed) % 110}").then { |status, _, body| [status, body.size] } } } }
    threads.each_with_index do |thread, seed|
      expected = Array.new(300) do |i|
        number = (i * 7 + seed) % 110
        number < 100 ? [200, number.to_s.size * 1000] : [404, "File not found: /#{number}\n".size]
      end
      assert_equal expected, thread.value
    end
  end
end
