# frozen_string_literal: true

require_relative "../test_helper"
require "frugal/profile/run"

# What the recorder notes of work that makes no file call: digests, rendered backtraces, and what is written to
# terminals, pipes and sockets.
class ProfileProbesTest < Frugal::TestCase
  DEEP = "def deep(n, &block) = n.zero? ? block.call : deep(n - 1, &block)\n"

  def setup
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
  end

  # @return [Frugal::Profile::Recording]
  def record(script, **options)
    write("program.rb", script)
    Frugal::Profile::Run.new([RUBY, "-W0", path("program.rb")], chdir: tree, out: File::NULL, **options).call
  end

  # @return [Array<Frugal::Profile::Call>]
  def events(recording, name)
    recording.events.select { |event| event.name == name && event.site&.file == path("program.rb") }
  end

  def needs_shared_ruby
    skip "Ruby is linked statically: backtraces are not recorded" unless RbConfig::CONFIG["ENABLE_SHARED"] == "yes"
  end

  def test_digests_have_their_bytes_and_their_value
    %w[MD5 SHA1 SHA256 SHA384 SHA512 RMD160].each do |name|
      same, again, other = events(record(<<~RUBY), :digest)
        require "digest"
        algorithm = Digest::#{name}.new.class
        algorithm.new.update("x" * 300).digest!
        algorithm.new.update("x" * 100).update("x" * 200).digest!
        algorithm.new.update("y" * 300).digest!
      RUBY
      assert_equal [300] * 3, [same, again, other].map(&:bytes), name
      assert_equal [3, 4, 5], [same, again, other].map { |event| event.site.line }
      assert_equal [same.result, same.result], [again.result, same.result], name
      refute_equal same.result, other.result, name
    end
  end

  def test_a_digest_goes_on_after_its_value_was_asked
    found = events(record(<<~RUBY), :digest)
      require "digest"
      digest = Digest::SHA256.new
      digest << "a" * 10
      digest.hexdigest
      digest << "b" * 20
      digest.hexdigest
      digest.reset
      digest << "a" * 10
      digest.hexdigest
    RUBY
    assert_equal [10, 30, 10], found.map(&:bytes)
    assert_equal [true, false], [found[0].result == found[2].result, found[0].result == found[1].result]
  end

  def test_digests_of_openssl
    needs_shared_ruby
    found = events(record(<<~RUBY), :digest)
      require "openssl"
      OpenSSL::Digest.new("SHA256").update("x" * 300).digest!
      OpenSSL::Digest.new("SHA256").update("x" * 300).digest!
      digest = OpenSSL::Digest.new("SHA256")
      digest << "\u00e4" * 10
      digest.hexdigest
      digest << "b"
      digest.hexdigest
      digest.reset
      digest << "\u00e4" * 10
      digest.hexdigest
    RUBY
    assert_equal [300, 300, 20, 21, 20], found.map(&:bytes)
    assert_equal found[0].result, found[1].result
    assert_equal [true, false], [found[2].result == found[4].result, found[2].result == found[3].result]
  end

  def test_digests_of_many_threads
    found = events(record(<<~RUBY), :digest)
      require "digest"
      Digest::SHA256 # loaded by several threads at once, Ruby's own fails in one start of 150
      GC.stress = true if ARGV.any?
      8.times.map { |i| Thread.new { 50.times { Digest::SHA256.new.update("a" * i).update("b" * i).digest! } } }.each(&:join)
    RUBY
    assert_equal((0...8).to_h { |i| [i * 2, 50] }, found.map(&:bytes).tally)
    assert_equal 8, found.map(&:result).uniq.size
  end

  def test_what_is_no_call_is_not_counted
    recording = record("require 'digest'\nraise 'x' rescue $!.backtrace\nDigest::MD5.digest('x')\n$stderr.print('x')",
                       err: File::NULL)
    probes = recording.events.map(&:name) & Frugal::Profile::Kinds::PROBES
    assert_includes probes, :digest
    assert_empty recording.calls.map(&:name) & Frugal::Profile::Kinds::PROBES
    assert_equal recording.calls.size, recording.counts[:calls]
  end

  def test_backtraces_are_noted_when_they_are_rendered
    needs_shared_ruby
    found = events(record(<<~RUBY), :backtrace)
      #{DEEP.chomp}
      deep(30) { begin; raise "a"; rescue => e; e.backtrace; e.backtrace; e.full_message; end }
      deep(10) { begin; raise "b"; rescue => e; e.full_message(highlight: false); end }
      begin; raise "c"; rescue => e; e.message; e.backtrace_locations; end
      begin; raise RuntimeError, "d", ["here"]; rescue => e; e.backtrace; e.full_message; end
      begin; raise RuntimeError, "e", []; rescue => e; e.backtrace; end
      RuntimeError.new("f").backtrace
      begin; raise Class.new(StandardError) { def backtrace = ["own"] }; rescue => e; e.backtrace; end
    RUBY
    assert_equal [[2, 33], [3, 13]], found.map { |event| [event.site.line, event.bytes] }
  end

  def test_what_is_written_where_there_is_no_file
    needs_shared_ruby
    recording = record(<<~RUBY)
      require "socket"
      ours, theirs = UNIXSocket.pair
      ours.syswrite("before")
      raise "x" rescue $!.backtrace
      ours.syswrite("xy")
      ours.send("abc", 0)
      ours.sendmsg("abcd")
      IO.pipe.last.syswrite("abcde")
      File.write("file", "abcdef")
    RUBY
    frames = recording.events.select { |event| event.name == :output }.map do |event|
      [event.stack.frames.find { |frame| frame.file == path("program.rb") }&.line, event.bytes]
    end
    assert_equal [[5, 2], [6, 3], [7, 4], [8, 5]], frames.select(&:first)
  end

  def test_the_methods_are_those_of_ruby
    script = <<~'RUBY'
      require "openssl"
      digest = OpenSSL::Digest
      methods = %i[backtrace full_message].map { |name| Exception.instance_method(name) }
      methods += %i[initialize update << finish reset].map { |name| digest.instance_method(name) }
      p((digest.new("none") rescue $!.class), (digest.new("SHA1").update(7) rescue $!.message), digest.hexdigest("MD5", "a"))
      p methods, methods.map { |m| [m.owner, m.arity, m.parameters, m.source_location] }
      begin
        raise "x"
      rescue => e
        p e.backtrace, e.full_message(highlight: false), e.backtrace.equal?(e.backtrace)
        p((e.full_message(1) rescue $!.class), (e.full_message(order: :none) rescue $!.message))
      end
      GC.stress = true
      3.times { begin; raise "y"; rescue => e; p e.backtrace, e.full_message(highlight: true); end }
      GC.compact rescue 0
      begin; raise "z"; rescue => e; p e.backtrace, $!, $~; end
    RUBY
    write("program.rb", script)
    plain = run_command(RUBY, path("program.rb"))
    assert_predicate plain, :success?
    Frugal::Profile::Run.new([RUBY, path("program.rb")], chdir: tree, out: path("out"), err: path("out")).call
    assert_equal plain.out, File.read(path("out"))
  end
end
