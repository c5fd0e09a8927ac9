# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/sinatras"
require_relative "sinatra_cases"

# Sinatra, stock and with the drop-in: named cases. test/fuzz/sinatra_fuzz.rb has the random ones.
class SinatraTest < Frugal::TestCase
  HEAD = <<~'RUBY'
    ENV["RACK_ENV"] ||= "production"
    require "stringio"
    def env(path, **more)
      { "REQUEST_METHOD" => "GET", "PATH_INFO" => path, "SCRIPT_NAME" => "", "QUERY_STRING" => "", "SERVER_NAME" => "one.test", "SERVER_PORT" => "80",
        "rack.url_scheme" => "http", "rack.input" => StringIO.new, "rack.errors" => LOG, **more.transform_keys(&:to_s) }
    end
    LOG = StringIO.new
    def app(base = Sinatra::Base, **settings, &block)
      Class.new(base) { settings.each { |name, value| set(name, value) } && class_eval(&block) }
    end
    def get(app, path, **more) = app.call(env(path, **more)).then { |status, headers, body| [status, headers["content-type"], body.each.to_a.join] }
    def state = Frugal::Dropin.status.find { |one| one.name == :sinatra }
    def many(app) = 20.times { |number| app.get("/things#{number}/:id") { "thing" } }
  RUBY
  STOCK = %(#{HEAD}require "sinatra/base";)
  OURS = %(#{HEAD}require "#{LIB}/frugal/sinatra";)

  def setup
    skip "the drop-in stands aside here" unless RUBY_ENGINE == "ruby"
    skip WebGems::MISSING if Sinatras.all.empty?
  end

  def test_named_cases
    [Sinatras.all.first, Sinatras.all.last].each do |version|
      stock, ours = [STOCK, OURS].map { |head| ruby(head + SinatraCases.script, version: version).lines }
      assert_equal SinatraCases::ALL.size, stock.size
      stock.zip(ours).each { |one, other| assert_equal one, other, version }
    end
  end

  def test_stands_aside
    { %(class Sinatra::Base; def process_route(*) = nil; end) => "Sinatra::Base#process_route was redefined",
      %(Sinatra::Base.prepend(Module.new { def dump_errors!(*) = nil })) => "Sinatra::Base#dump_errors! was redefined",
      %(class Mustermann::Pattern; def params(*, **) = nil; end) => "Mustermann::Pattern#params was redefined",
      %(Sinatra.send(:remove_const, :VERSION); Sinatra::VERSION = "4.2.0") => "Sinatra 4.2.0 is not a known version (known: 3.0 to 4.2, except 4.2.0)",
      %(Sinatra.send(:remove_const, :VERSION); Sinatra::VERSION = "5.0.0") =>
        "Sinatra 5.0.0 is not a known version (known: 3.0 to 4.2, except 4.2.0)" }.each do |change, reason|
      assert_equal reason, ruby(%(#{STOCK}#{change}; require "#{LIB}/frugal/sinatra"; print state.reason))
    end
    assert_equal "off FRUGAL=0", ours("print state.state, ' ', state.reason", env: { "FRUGAL" => "0" })
    assert_equal "off FRUGAL_SINATRA=0", ours("print state.state, ' ', state.reason", env: { "FRUGAL_SINATRA" => "0" })
  end

  def test_under_frugal_run_each_backtrace_is_logged
    script = %(#{STOCK}a = app { get("/") { raise "x" } }; 2.times { get(a, "/") }; print state.state, LOG.string.lines.grep(/\\t/).size > 40)
    assert_equal "ontrue", ruby("-r#{LIB}/frugal/autorun.rb", script)
  end

  def test_an_observer_of_a_pattern_sees_every_path
    script = <<~'RUBY'
      a = app {}
      many(a)
      asked = []
      watch = Module.new { define_method(:match) { |*args| (asked << to_s) && super(*args) } }
      a.routes["GET"][5].first.extend(watch)
      get(a, "/nobody/knows")
      Mustermann::Sinatra.prepend(watch)
      late = app {}
      many(late)
      get(late, "/nobody/knows")
      p asked.tally.values_at("/things5/:id", "/things6/:id")
    RUBY
    assert_equal [ruby(STOCK + script)] * 2, [ours(script), "[3, 1]\n"]
  end

  def test_the_log_has_the_first_backtrace_and_then_every_nth
    script = <<~'RUBY'
      def logged(app, path) = (LOG.truncate(LOG.rewind) && get(app, path) && LOG.string.lines)
      a = app(frugal_trace_every: 3) do
        get("/raise/:id") { raise KeyError, "one\ntwo" }
        get("/name/:id") { nobody_knows(1) }
        get("/nil/:id") { nil.szie }
        error(KeyError) { "handled" }
      end
      p %w[/raise/1 /name/1 /nil/1].map { |path| Array.new(7) { logged(a, path).grep(/\t.*:in /).size > 10 } }.uniq
      puts %w[/raise/2 /name/2 /nil/2].flat_map { |path| logged(a, path).map { |line| line.sub(/\A[\d -]+[\d:]+ - /, "").gsub(/0x\h+/, "0x") } }
    RUBY
    traces, *lines = ours(script).lines(chomp: true)
    assert_equal "[[true, false, true, false, false, true, false]]", traces
    detailed = RUBY_VERSION >= "3.2"
    assert_equal (detailed ? ["KeyError - one:", "\ttwo"] : ["KeyError - one", "two:"]), lines.first(2)
    assert_match(/\ANoMethodError - undefined method .nobody_knows' for (#<#<Class:0x>:0x>|an instance of #<Class:0x>)/, lines[2])
    assert_match(/\ANoMethodError - undefined method .szie' for nil/, lines[3])
    assert_equal 4, lines.size # neither spelling suggestions nor a marked line of source
  end

  def test_an_unknown_path_is_not_matched_with_routes_of_another_first_segment
    script = <<~'RUBY'
      a = app { get("/:any/*/end") { "any" } }
      many(a)
      asked = []
      TracePoint.new(:call) { |call| asked << call.self.to_s if call.method_id == :params && Mustermann::Pattern === call.self }.enable do
        get(a, "/nobody/knows")
        get(a, "/things7/1")
        get(a, "/%74hings7/1")
      end
      p asked.tally.values_at("/:any/*/end", "/things7/:id", "/things8/:id")
    RUBY
    assert_equal "[3, 2, nil]\n", ours(script)
    assert_equal "[3, 3, 1]\n", ruby(STOCK + script)
  end

  def test_the_first_segment_of_a_route
    paths = { "/" => "", "/foo" => "foo", "/foo/" => "foo", "/foo/?" => "foo", "/foo/:id" => "foo", "/foo-1_.x~/*" => "foo-1_.x~", "/foo/(a|b)" => "foo",
              "/foo.:format" => nil, "/foo?" => nil, "/:foo" => nil, "/*" => nil, "/foo|/bar" => nil, "/(foo)?/bar" => nil, "/foo(/:id)?" => nil, "/a b" => nil,
              "/é" => nil, "/foo/?:id?" => nil, "" => nil, "foo" => nil, "/f+o" => nil, "/foo/bar|/x" => nil }
    script = %(p state.state, #{paths.keys.inspect}.map { |path| Frugal::Dropin::Sinatra::Routes.new([]).send(:segment, Mustermann.new(path)) })
    Sinatras.all.each { |version| assert_equal ":on\n#{paths.values.inspect}\n", ours(script, version: version) }
  end

  def test_a_backtrace_that_is_not_shown_is_not_rendered
    script = <<~'RUBY'
      def deeper(depth, &block) = depth.zero? ? block.call : deeper(depth - 1, &block)
      a = app { error(KeyError) { "handled" }; get("/key/:depth") { deeper(params[:depth].to_i) { raise KeyError } }
                get("/halt/:depth") { deeper(params[:depth].to_i) { Frugal.halt(404, "gone") } } }
      costs = %w[/key/ /halt/].map do |kind|
        [0, 200].map do |depth|
          2.times { get(a, "#{kind}#{depth}") }
          request = env("#{kind}#{depth}")
          GC.start
          GC.disable
          strings, objects = ObjectSpace.count_objects[:T_STRING], GC.stat(:total_allocated_objects)
          a.call(request)
          [GC.stat(:total_allocated_objects) - objects, ObjectSpace.count_objects[:T_STRING] - strings]
        end
      end
      p costs.flat_map { |near, far| [far[1] - near[1], far[0] - near[0]] }
    RUBY
    strings, objects, *halt = ours(script).scan(/-?\d+/).map(&:to_i)
    assert_operator strings, :<=, 5
    # With another engine or version it is one object for each frame: see RaiseSites.
    assert_operator objects, :<=, 5 if Frugal::Native.engine_name == :c && RUBY_VERSION.match?(/\A3\.[13]\./)
    assert_operator halt.max, :<=, 5
    without_halt = script.sub("get(\"/halt", "false && get(\"/halt").sub(" /halt/]", "]")
    stock, = ruby(STOCK + without_halt).scan(/-?\d+/).map(&:to_i)
    assert_operator stock, :>=, 100
  end

  private

  def ours(script, **options) = ruby(OURS + script, **options)

  def ruby(*argv, script, version: Sinatras.all.last, env: {})
    unset = %w[RUBYOPT RUBYLIB APP_ENV RACK_ENV FRUGAL_TRACE].to_h { |name| [name, nil] }
    result = run_command(RUBY, "-W0", *Sinatras.options(version), *argv, "-e", script, env: { **unset, **env })
    assert result.success?, result
    result.out
  end
end
