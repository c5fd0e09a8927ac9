# frozen_string_literal: true

require_relative "../support/lock_wait"
require_relative "../support/session_contract"

# Files that are no sessions, and disks that do not work: a request never fails because of them.
class SessionFilesTest < SessionCase
  include LockWait

  Planted = SessionContract::Planted
  ONLY_ROOT = "the files must be another user's: only root can make them"

  def test_a_bad_file_is_an_empty_session
    get("/set?a=1")
    foreign = Client.new(stack).tap { |other| other.get("/set?a=of-somebody-else") }
    bad = { "foreign" => [File.binread(file_of(foreign.cookie)), Marshal.dump(Planted.new), "x", "x" * 100_000, Random.bytes(5000)],
            "damaged" => [->(whole) { whole[0, 20] }, ->(whole) { whole[0..-2] }, ->(whole) { whole.sub('"a"', '"b"') }] }
    bad.each do |reason, contents|
      contents.each do |content|
        @client.cookie = nil
        get("/set?a=1")
        file = file_of(old = @client.cookie)
        content = content.call(File.binread(file)) if content.respond_to?(:call)
        File.binwrite(file, content)
        counts = counted { assert_match(/\A\{"n" ?=> ?1\}\z/, get("/count")) }
        assert_equal({ quarantined: 1 }, counts)
        refute_equal old, @client.cookie
        refute_path_exists file_of(old)
        assert_equal content, File.binread(Dir.glob("#{dir}/quarantine/#{Frugal::Entries.digest(private_id(old))}.#{reason}.*").max)
      end
    end
    refute Planted.loaded
  end

  # Ruby's own sessions in a PStore (until Ruby 3.4), which Rails used until version 1.2: the control.
  def test_stock_raises_for_a_bad_file
    skip "this Ruby has no cgi/session" if RUBY_VERSION.to_f > 3.4

    result = run_ruby("-W0", "-rcgi", "-rcgi/session", "-rcgi/session/pstore", "-e", <<~'RUBY', tree, env: { "REQUEST_METHOD" => "GET" })
      options = { "database_manager" => CGI::Session::PStore, "session_id" => "ab" * 16, "tmpdir" => ARGV[0], "no_cookies" => true }
      CGI::Session.new(CGI.new, options).tap { |session| session["a"] = 1 }.close
      puts CGI::Session.new(CGI.new, options)["a"]
      ["no Marshal", Marshal.dump("a" => 1)[0..-2], "\x04\bo:\vNobody\x00"].each do |content|
        File.binwrite(Dir.glob(options["tmpdir"] + "/*").first, content)
        puts (CGI::Session.new(CGI.new, options)["a"] rescue $!.class)
      end
    RUBY
    assert_equal %w[1 TypeError ArgumentError ArgumentError], result.out.split, result
  end

  def test_what_cannot_be_opened
    skip "JRuby opens a fifo and waits" if RUBY_ENGINE == "jruby" && Frugal::Native.engine_name == :pure

    { fifo: ->(file) { File.mkfifo(file) }, directory: ->(file) { Dir.mkdir(file) }, link: ->(file) { File.symlink("/etc/passwd", file) },
      huge: ->(file) { File.write(file, "") && File.truncate(file, 1 << 30) } }.each do |name, make|
      get("/set?a=1")
      File.unlink(file = file_of(@client.cookie))
      make.call(file)
      assert_equal({ quarantined: 1 }, counted { assert_equal "{}", get("/read"), name })
      refute_path_exists file
    end
  end

  # A read without the lock may see a file of which both slots are just being written. What counts is the file under the lock.
  def test_a_file_that_is_being_written
    get("/set?a=1")
    whole = File.binread(files[0])
    File.binwrite(files[0], whole.sub('"a"', '"b"'))
    locked = Queue.new
    writer = Thread.new do
      @middleware.backend.entries.update(Frugal::Entries.digest(private_id(@client.cookie))) do
        locked << true
        sleep 0.1
        File.binwrite(files[0], whole)
      end
    end
    locked.pop
    assert_empty(counted { assert_includes get("/read"), "1" })
  ensure
    writer&.join
  end

  # A process was killed between the creation of the file and its first write.
  def test_an_empty_file_is_no_session
    get("/set?a=1")
    File.truncate(files[0], 0)
    assert_empty(counted { assert_equal "{}", get("/read") })
  end

  def test_a_file_that_may_not_be_read
    get("/set?a=1")
    all_may_enter
    File.chmod(0, files[0])
    return assert_equal({ quarantined: 1 }, counted { assert_equal "{}", get("/read") }) if Process.euid.positive?

    as_nobody do
      # nobody may not move it either, so it stays; the session is not written, and the cookie stays as well
      counts = counted { assert_match(/1/, get("/count")) }
      assert_nil @client.response["set-cookie"]
      assert_operator counts[:not_saved], :>, 0
    end
    File.chmod(0o600, files[0])
    assert_includes get("/read"), "a"
  end

  def test_a_directory_that_may_not_be_written
    skip ONLY_ROOT if Process.euid.positive?

    get("/set?a=1")
    all_may_enter
    File.chmod(0o644, files[0])
    as_nobody do
      assert_includes get("/read"), "1"
      counts = counted { assert_includes get("/set?a=2"), "2" }
      assert_equal({ not_saved: 1 }, counts)
      assert_equal 200, @client.response.status
      other = Client.new(stack)
      assert_equal({ not_saved: 1 }, counted { assert_includes other.get("/count"), "1" })
      assert_nil other.cookie
      assert_equal({ not_saved: 1 }, counted { assert_raises(Frugal::Session::Unavailable) { get("/destroy") } })
    end
    assert_includes get("/read"), "1"
  end

  # A backup, say, that holds the lock of the file for longer than anybody waits for it.
  def test_another_process_has_locked_the_file
    get("/set?a=1")
    File.open(files[0]) do |file|
      file.flock(File::LOCK_EX)
      with_lock_wait(0.05) do
        error = assert_raises(Frugal::Session::Conflict) { get("/set?a=2") }
        assert_equal "another process has locked it for more than 0.05 s", error.message
        client = Client.new(stack(on_conflict: :overwrite), @client.cookie)
        assert_equal({ not_saved: 1 }, counted { client.get("/set?a=3") })
        assert_equal 200, client.response.status
      end
    end
    assert_includes get("/read"), "1"
  end

  # After a logout the old cookie is not valid, for a small file and for a large one.
  def test_a_logout_where_files_cannot_be_removed
    skip ONLY_ROOT if Process.euid.positive?

    ["1", "x" * 100_000].each do |value|
      @client.cookie = nil
      get("/set?a=#{value}")
      all_may_enter
      File.chmod(0o666, file_of(@client.cookie))
      as_nobody do
        assert_empty(counted { get("/destroy") })
        assert_equal 200, @client.response.status
        assert_equal "{}", get("/read")
      end
    end
  end

  # The login is answered, but the id of before would still be valid.
  def test_a_renewal_where_files_cannot_be_removed
    skip ONLY_ROOT if Process.euid.positive?

    get("/set?a=1")
    all_may_enter
    File.chmod(0o644, files[0])
    old = @client.cookie
    256.times { |n| FileUtils.mkdir_p(format("%s/%02x", dir, n)) }
    File.chmod(0o1777, *Dir.glob("#{dir}/??")) # anybody may make a file, and only its owner may remove it
    as_nobody { assert_raises(Frugal::Session::Unavailable) { get("/set?b=2", renew: true) } }
    assert_equal old, @client.cookie
  end

  def test_a_place_that_is_no_directory
    write("sessions", "a file")
    counts = counted { assert_includes get("/count"), "1" }
    assert_equal({ not_saved: 1 }, counts)
    assert_equal 200, @client.response.status
    @client.cookie = "f" * 64
    assert_equal "{}", get("/read")
  end

  def test_a_full_disk
    skip "needs root and Linux" unless Process.euid.zero? && RUBY_PLATFORM.include?("linux") && RUBY_ENGINE == "ruby"

    mkdir("sessions")
    skip "cannot mount tmpfs" unless system("mount", "-t", "tmpfs", "-o", "size=64k", "frugal-test", dir, err: File::NULL)
    begin
      get("/set?a=1")
      nil while Client.new(stack).tap { |other| other.get("/set?a=#{"x" * 1800}") }.cookie
      assert_empty(files.select { |file| File.zero?(file) })
      assert_includes get("/set?a=2"), "2"
      assert_includes get("/read"), "2", "its slot has its place already"
      counts = counted { assert_equal 200, get("/set?a=#{"x" * 100_000}") && @client.response.status }
      assert_equal({ not_saved: 1 }, counts)
      assert_includes get("/read"), "2"
      assert_equal({ not_saved: 1 }, counted { get("/set?a=#{"x" * 100_000}", renew: true) })
      assert_includes get("/read"), "2", "the client keeps its session"
      assert_empty(Dir.glob("#{dir}/??/*.new"))
      get("/destroy")
      assert_equal "{}", get("/read")
    ensure
      system("umount", dir)
    end
  end

  # The partition is removed between load and commit, and before a session is saved for the first time.
  def test_a_partition_that_is_removed
    get("/set?a=1")
    FileUtils.rm_rf(dir)
    assert_equal "{}", get("/read")
    get("/set?a=1")
    remover = Client.new(stack(Rack::Session::Frugal, lambda { |env|
      env["rack.session"]["a"] = "2"
      FileUtils.rm_rf(dir)
      [200, {}, []]
    }), @client.cookie)
    remover.get("/")
    assert_equal 200, remover.response.status
    assert_equal "{}", get("/read")
    fresh = Client.new(stack(Rack::Session::Frugal, remover_app = lambda { |env|
      env["rack.session"]["a"] = "3"
      FileUtils.rm_rf(dir)
      [200, {}, []]
    }))
    fresh.get("/")
    assert_includes Client.new(stack, fresh.cookie).get("/read"), "3", remover_app
  end

  private

  # So that the user nobody comes as far as the files.
  def all_may_enter
    File.chmod(0o755, tree, dir, *files.map { |file| File.dirname(file) })
  end
end
