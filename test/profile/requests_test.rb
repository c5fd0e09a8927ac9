# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/web_gems"
require "frugal/profile"

# Requests that a program makes itself: each one asks anew, so that what it asks twice is superfluous, and what the next
# one asks again is a freshness check.
class RequestsTest < Frugal::TestCase
  APP = <<~'RUBY'
    require "rack"
    require "rack/mock" # defines no class in Rack 3
    def check = 3.times { File.exist?("x") }
    app = ->(env) { check; env["PATH_INFO"] == "/outer" ? Rack::MockRequest.new(->(_) { check; [200, {}, []] }).get("/").then { [200, {}, []] } : [200, {}, []] }
    client = Rack::MockRequest.new(app)
  RUBY

  def setup
    skip WebGems::MISSING unless WebGems.available?("rack")
  end

  def test_each_request_asks_anew
    recorders.each do |recorder|
      assert_equal({ redundant_call: 2 * 4, freshness_check: 3 }, found("4.times { client.get('/') }", recorder), recorder)
    end
  end

  # The inner one begins anew, too.
  def test_a_request_inside_of_a_request
    recorders.each do |recorder|
      assert_equal({ redundant_call: 4 * 2, freshness_check: 3 }, found("2.times { client.get('/outer') }", recorder), recorder)
    end
  end

  def test_a_request_that_raises
    failing = "bad = Rack::MockRequest.new(->(_) { check; raise 'x' }); 2.times { bad.get('/') rescue 1 }; client.get('/')"
    recorders.each do |recorder|
      assert_equal({ redundant_call: 2 * 3, freshness_check: 2 }, found(failing, recorder), recorder)
    end
  end

  def test_requests_that_overflow_the_stack
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    failing = "deep = ->(n) { check if n.zero?; deep.(n + 1) }; bad = Rack::MockRequest.new(->(_) { deep.(0) })\n" \
              "2.times { begin; bad.get('/'); rescue SystemStackError; end }; client.get('/')"
    assert_equal({ redundant_call: 2 * 3, freshness_check: 2 }, found(failing, :native))
  end

  NOTHING_TO_NOTICE = <<~'RUBY'
    module Rails
      class Engine
        def self.method_defined?(*) = (puts("method_defined?"); super)
        def self.instance_method(*) = (puts("instance_method"); super)
        def call(env) = env
      end
    end
    p eval("1", binding, "/rack/test.rb".encode("UTF-16LE"))
    engine = Rails::Engine.new
    engine.call(1)
    before = GC.stat(:total_allocated_objects)
    100.times { engine.call(1) }
    p GC.stat(:total_allocated_objects) - before, Rails::Engine.ancestors
    trap("USR1") { puts caller.grep_v(/requests.rb/) }
    class Rails::Engine; def stop(n) = n.zero? ? Process.kill("USR1", $$) : call(stop(n - 1)); end
    engine.stop(9)
  RUBY

  def test_nothing_to_notice
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    write("requests.rb", NOTHING_TO_NOTICE)
    assert system(RUBY, "-w", "requests.rb", chdir: tree, out: path("out"), err: path("out"))
    plain = File.read(path("out"))
    Frugal::Profile::Run.new([RUBY, "-w", "requests.rb"], agent: :task, chdir: tree, out: path("out"), err: path("out")).call
    assert_equal plain, File.read(path("out"))
  end

  def test_backtraces_and_methods_are_the_same
    skip "the recorder needs MRI on a 64-bit Linux" unless Frugal::Profile::Run.supported?
    write("trace.rb", "#{APP}Rack::MockRequest.new(->(_) { puts caller; [200, {}, []] }).get('/')\n" \
                      "p Rack::MockRequest.instance_method(:request).owner, Rack::MockRequest.ancestors")
    assert system(*command("trace.rb"), chdir: tree, out: path("out"))
    plain = File.read(path("out"))
    record("trace.rb", :native)
    assert_equal plain, File.read(path("out"))
  end

  private

  def recorders = Frugal::Profile::Run.unavailable ? [:ruby] : %i[native ruby]

  def command(file) = [RUBY, "-I#{WebGems.folder("rack")}/lib", file]

  def record(file, recorder)
    Frugal::Profile::Run.new(command(file), agent: :task, recorder: recorder, chdir: tree, out: path("out")).call
  end

  # @return [Hash{Symbol => Integer}] the counts of the findings about the file "x"
  def found(code, recorder)
    write("requests.rb", "#{APP}#{code}\n")
    findings = Frugal::Profile::Analyzer.new(record("requests.rb", recorder), Frugal::Profile::CostModel.calibrate).findings
    findings.select { |finding| finding.examples.include?(path("x")) }.to_h { |finding| [finding.kind, finding.count] }
  end
end
