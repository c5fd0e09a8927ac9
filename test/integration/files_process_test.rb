# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/racks"

# Frugal::Files in processes of their own: without openat2(2), without free descriptors,
# in other Ractors, closed while a file is read, under GC stress.
class FilesProcessTest < Frugal::TestCase
  LINUX = RUBY_PLATFORM.include?("linux")
  HEAD = <<~'RUBY'
    require "frugal/files"
    ROOT = ARGV.first
    def env(path, **more) = { "REQUEST_METHOD" => "GET", "PATH_INFO" => path, **more.to_h { |name, value| ["HTTP_#{name.upcase}", value] } }
    def ask(app, path, **more) = app.call(env(path, **more)).then { |status, _, body| [status, body.enum_for(:each).to_a.join] }
  RUBY

  def setup
    skip WebGems::MISSING unless Racks.load
    @old = Time.at(1_700_000_000)
    write("file", "text", mtime: @old)
    write("big", "b" * 200_000, mtime: @old)
  end

  # The tests of test/shared, with a path walked name by name.
  { "ENOSYS" => Errno::ENOSYS, "EPERM" => Errno::EPERM }.each do |name, error|
    define_method("test_where_openat2_is_refused_with_#{name}") do
      skip "only Linux has openat2" unless LINUX
      %w[files_test files_body_test files_race_test].each do |test|
        result = run_command(RUBY, "-w", "-I", LIB, "-r#{ROOT}/test/support/without_openat2.rb", "#{ROOT}/test/shared/#{test}.rb",
                             env: { "FRUGAL_ENGINE" => "c", "FILES_RACE" => "0.4", "WITHOUT_OPENAT2" => error::Errno.to_s })
        assert result.success?, result
        assert_match(/ 0 failures, 0 errors/, result.out)
      end
      answer = run_command(RUBY, "-r#{ROOT}/test/support/without_openat2.rb", "-e", "p WithoutOpenat2.answer", env: { "WITHOUT_OPENAT2" => error::Errno.to_s })
      assert_equal "#{error::Errno}\n", answer.out, answer
    end
  end

  def test_running_out_of_descriptors_is_a_fault
    result = files_script(<<~'RUBY')
      app = Frugal::Files.new(ROOT)
      app.call(env("/file"))
      Process.setrlimit(:NOFILE, 40)
      held = []
      begin
        loop { held << File.open(File::NULL) }
      rescue Errno::EMFILE
        nil
      end
      begin
        app.call(env("/file"))
      rescue Errno::EMFILE => error
        puts error.message
      end
      puts app.call(env("/missing")).first
      held.each(&:close)
      p ask(app, "/file")
      p 100.times.map { app.call(env("/big")).first }.uniq # descriptors of garbage are closed first, as Ruby does
    RUBY
    assert_equal ["Too many open files @ rb_sysopen - /file", "404", '[200, "text"]', "[200]"], result.out.lines(chomp: true), result
  end

  def test_in_other_ractors
    result = files_script(<<~'RUBY', options: ["-W0", RACTOR_VALUE])
      app = Ractor.make_shareable(Frugal::Files.new(ROOT, { "x-a" => "1" }))
      ractors = Array.new(3) do
        Ractor.new(app) do |files|
          get = ->(path, **more) { files.call({ "REQUEST_METHOD" => "GET", "PATH_INFO" => path, **more }) }
          Array.new(200) do
            [get["/file"][2].join, get["/missing%20"].first, get["/big", "HTTP_RANGE" => "bytes=1-2,5-6"].first, get["/file", "HTTP_IF_NONE_MATCH" => "*"].first]
          end.uniq
        end
      end
      p ractors.map(&:value).uniq
      p app.call(env("/file"))[1]["content-type"]
    RUBY
    assert_equal ['[[["text", 404, 206, 304]]]', '"text/plain"'], result.out.lines(chomp: true), result
  end

  # The descriptor stays open until the read has ended, so that no other file is read by its number.
  def test_closed_by_another_thread_while_it_is_read
    result = files_script(<<~'RUBY')
      app = Frugal::Files.new(ROOT)
      app.call(env("/missing"))
      before = Dir.children("/proc/self/fd").size
      ends = Array.new(300) do
        body = app.call(env("/big")).last
        reader = Thread.new do
          body.each { |part| break :foreign unless part.delete("b").empty? } || :whole
        rescue IOError
          :closed
        end
        Thread.pass
        body.close
        File.open(File::NULL) { reader.value }
      end
      p ends.uniq - [:whole, :closed, nil], Dir.children("/proc/self/fd").size - before
    RUBY
    assert_equal %w[[] 0], result.out.lines(chomp: true), result
  end

  def test_under_gc_stress
    result = files_script(<<~'RUBY')
      app = Frugal::Files.new(ROOT)
      questions = [["/file"], ["/big"], ["/missing%41"], ["/big", { range: "bytes=0-1,5-6" }], ["/" + "x" * 5000], ["/a\0"]]
      answers = -> { questions.map { |path, more| ask(app, path, **(more || {})) } }
      expected = answers.call
      GC.stress = true
      same = answers.call == expected
      GC.stress = false
      p same
    RUBY
    assert_equal "true\n", result.out, result
  end

  # A body that nobody closes is closed by the garbage collector.
  def test_bodies_that_are_never_closed
    result = files_script(<<~'RUBY')
      app = Frugal::Files.new(ROOT)
      app.call(env("/missing"))
      before = Dir.children("/proc/self/fd").size
      500.times { app.call(env("/big")) }
      GC.start
      p Dir.children("/proc/self/fd").size - before < 20
    RUBY
    assert_equal "true\n", result.out, result
  end

  def test_the_gem_is_missing
    result = run_ruby("-e", 'begin require "frugal/files"; rescue Frugal::UsageError => error; puts error.message; end',
                      env: { "GEM_PATH" => tree, "GEM_HOME" => tree, "RUBYOPT" => nil })
    assert_equal "Frugal::Files needs the gem rack, which is not installed: add gem \"rack\" to the Gemfile, or gem install rack\n", result.out, result
  end

  private

  def files_script(script, env: {}, options: [])
    run_ruby("-I", "#{Racks::FOLDERS[Racks::NEWEST]}/lib", *options, "-e", HEAD + script, tree, env: { "FRUGAL_ENGINE" => "c", **env })
  end
end
