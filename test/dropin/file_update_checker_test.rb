# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/file_checkers"

# ActiveSupport::FileUpdateChecker, with and without the drop-in: single cases. The fuzzer tests random changes.
class FileUpdateCheckerTest < Frugal::TestCase
  include FileCheckers

  # Each folder and each file once, by as many questions as there are folders and files.
  def test_costs
    skip_where_times_are_not_trusted
    script = %(#{TREE} checker = watch(%w[routes.rb missing], "app" => %w[rb], "app/views" => %w[html.erb erb haml]);) +
             %(checker.updated?; cost { checker.updated? })
    stock, ours = [LOAD, OURS].map { |load| costs_of(UPSTREAMS.last, load + script).first }
    assert_operator stock.first.count { |call| call.match?(/open/) }, :>, 3, "stock lists a folder for each ending"
    assert_equal [["stat"] * 9, []], ours, "app, app/models, app/views; a.rb, b.rb, c.html.erb, d.erb; routes.rb, missing"
  end

  def test_each_version_gains
    script = %(#{TREE} checker = watch(%w[routes.rb app/a.rb], "app" => %w[rb], "app/views" => %w[html.erb erb], "none" => []);) +
             %(def checker.inspect = ""; checker = watch(%w[routes.rb app/a.rb], "app" => %w[rb], "app/views" => [:erb, "html.erb"]);) +
             %(print known?(checker))
    UPSTREAMS.each { |upstream| assert_equal "true", run_upstream(upstream, OURS + script).out, upstream }
  end

  def test_is_on_in_whatever_order_upstream_is_loaded
    autorun = "-r#{LIB}/frugal/autorun.rb"
    UPSTREAMS.each do |upstream|
      work = "watch([]).updated?; print state.state, state.version"
      assert_equal "on#{upstream.delete_prefix("activesupport-")}", run_upstream(upstream, autorun, LOAD + work).out
      assert_equal "on", run_upstream(upstream, autorun, "#{BYTECODE} #{LOAD} watch([]).updated?; print state.state").out
      before = %(require "#{LIB}/frugal/file_update_checker"; print Frugal.enable(:file_update_checker), " ";) +
               %(#{LOAD} print state.state)
      assert_equal "waiting on", run_upstream(upstream, before).out
    end
  end

  # A program that never asks finds stock's method.
  def test_is_loaded_at_the_first_question
    script = %(#{LOAD} watch([]); print Checker.private_method_defined?(:frugal_stock_updated?);) +
             %(watch([]).updated?; print Checker.private_method_defined?(:frugal_stock_updated?))
    assert_equal "falsetrue", run_upstream(UPSTREAMS.last, "-r#{LIB}/frugal/autorun.rb", script).out
  end

  def test_stands_aside
    { "class Checker; private def watched = super; end" => "ActiveSupport::FileUpdateChecker#watched was redefined",
      "Checker.prepend(Module.new { def updated? = super })" => "ActiveSupport::FileUpdateChecker#updated? was redefined",
      "def File.mtime(*) = super" => "a method of File, Dir, Time or Process was redefined",
      "def Dir.[](*) = super" => "a method of File, Dir, Time or Process was redefined",
      "def Time.now(*) = super" => "a method of File, Dir, Time or Process was redefined",
      %(ActiveSupport::VERSION.send(:remove_const, :STRING); ActiveSupport::VERSION::STRING = "9.9.1") =>
        "ActiveSupport 9.9.1 is not a known version (known: 7.0 to 8.1)" }.each do |change, reason|
      script = %(#{LOAD} #{change}; require "#{LIB}/frugal/file_update_checker"; print state.reason)
      assert_equal reason, run_upstream(UPSTREAMS.last, script).out
    end
    pure = run_upstream(UPSTREAMS.last, %(#{LOAD} require "#{LIB}/frugal/file_update_checker"; print state.reason),
                        env: { "FRUGAL_ENGINE" => "pure" })
    assert_equal "it pays only with the C engine, under Linux", pure.out
  end

  # What a program may do to a checker after the drop-in is on.
  def test_changes_by_the_program
    ours, stock = compare(<<~'RUBY')
      checker = watch(["routes.rb"], "app" => %w[rb])
      p checker.updated?
      other = Class.new(Checker) { private def watched = super.first(1).tap { print "watched " } }.new([], "app" => []) {}
      p other.updated?
      single = watch([], "app" => [])
      def single.max_mtime(paths) = super.tap { print "mtime " }
      p single.updated?
      copy = checker.dup
      p copy.updated?, checker.clone.updated?, checker.instance_variables, checker.inspect.scan(/@\w+/)
      checker.instance_variable_set(:@files, ["routes.rb", "app/x.txt"])
      p checker.updated?, checker.execute, checker.updated?
      name = +"app/x.txt"
      changed = watch([name])
      p changed.updated?, name.replace("none") && changed.updated?
      checker.instance_variable_set(:@last_update_at, Time.at(0))
      p checker.updated?, checker.updated?
      checker.freeze
      p watch(["routes.rb"]).freeze.updated?
      File.singleton_class.prepend(Module.new { def mtime(path) = super.tap { print "asked " } })
      p copy.updated?
      def Dir.[](*, **) = []
      p copy.updated?
    RUBY
    assert_equal stock, ours
    assert_match(/asked/, stock)
  end

  def test_a_stubbed_clock
    ours, stock = compare(<<~'RUBY')
      require "active_support/testing/time_helpers"
      include ActiveSupport::Testing::TimeHelpers
      checker = watch([], "app" => %w[rb])
      File.utime(Time.now + 500, Time.now + 500, "app/a.rb")
      p checker.updated?
      travel_to(Time.now + 1000) { p checker.updated? }
      travel_back
      p checker.execute_if_updated, checker.updated?
    RUBY
    assert_equal stock, ours
  end

  # A link that leads nowhere is listed, and raises where there are as many files as before.
  def test_errors
    ours, stock = compare(<<~'RUBY')
      checker = watch([], "app" => [], "app/a.rb" => [])
      p checker.updated?
      %w[nowhere link].each do |target|
        File.unlink("app/x.txt")
        File.symlink(target, "app/link")
        begin
          checker.updated?
        rescue SystemCallError => e
          p e.class, e.message, e.backtrace.map { |line| line.sub(/:in .*/, "") }
        end
        File.unlink("app/link")
        File.write("app/x.txt", "")
        p checker.updated?, checker.execute, checker.updated?
      end
      File.symlink("..", "app/above")
      p checker.updated?, checker.execute, checker.updated?
    RUBY
    assert_equal stock, ours
    assert_match(/Errno::ENOENT.*Errno::ELOOP/m, stock)
  end

  # In a dump, or in a copy for another Ractor, there is nothing of frugal.
  def test_dumps_and_references
    ours, stock = compare(<<~'RUBY')
      require "objspace"
      File.utime(0, 1_000, "routes.rb", "app/a.rb", "app/models/b.rb") # the size of a dump depends on its times
      checker = watch(["routes.rb"], "app" => %w[rb])
      checker.instance_variable_set(:@block, nil)
      p checker.updated?, Marshal.dump(checker).size, ObjectSpace.reachable_objects_from(checker).map(&:class)
      p Ractor.new(checker) { |one| one.updated? }.take
      p Ractor.make_shareable(checker).updated?
    RUBY
    assert_equal stock, ours
  end

  # Where each path counts once: which paths are equal.
  def test_equal_paths
    ours, stock = compare(<<~'RUBY')
      require "pathname"
      File.write("é.rb", "")
      ["é.rb", "app/a.rb"].each { |file| File.utime(0, 1_000, file) }
      sleep 0.05
      add = lambda do |name|
        File.write(name, "") && File.utime(0, 1_000, name)
        sleep 0.03
      end
      one = watch([Pathname("é.rb"), Pathname("é.rb".b)], "app" => %w[rb])
      two = watch(["x"], "app" => %w[rb])
      two.instance_variable_set(:@files, files = ["app/a.rb"])
      p two.execute, two.updated?
      files[0] = Pathname("app/a.rb")
      p two.updated?, one.updated?
      add.call("app/z.rb")
      p one.updated?, two.updated?
    RUBY
    assert_equal stock, ours
  end

  # From Rails 8.1 on, the patterns are an Array.
  def test_patterns
    {
      nil => {}, "{app/**/*}" => { "app" => [""] }, "{a b/**/*.{rb,yml},lib/**/*}" => { "a b" => %w[.rb .yml], "lib" => [""] },
      "{a/**/*.{rb},a/**/*.{rb,{x,y.z}}}" => { "a" => %w[.rb .rb .x .y.z] }, ["a/**/*.{rb}", "b/**/*"] => { "a" => %w[.rb], "b" => [""] },
      "{a/**/*.{,rb}}" => { "a" => %w[. .rb] }, [] => {}, "{/a/é/**/*.{rb}}" => { "/a/é" => %w[.rb] },
      "{a/[b]/**/*}" => nil, "{a\\,b/**/*}" => nil, "{a//b/**/*}" => nil, "{a/**/*.{rb}" => nil, "{a/**/*.{r?}}" => nil,
      "{a/**/*.é}" => nil, "{a/**/*,b}" => nil, "{/**/*}" => nil, "{a/**/*/b}" => nil, "a/**/*" => nil, [1] => nil,
      "{a{b,c}/**/*}" => nil, "{a/**/*.}rb}" => nil
    }.each do |globs, folders|
      script = %(require "#{LIB}/frugal/dropin/file_update_checker/patterns"; p Frugal::Dropin::FileUpdateChecker::Patterns.folders(#{globs.inspect}))
      (@scripts ||= []) << [script, folders]
    end
    out = run_command(RUBY, "-e", @scripts.map(&:first).join("\n")).out
    assert_equal @scripts.map { |_, folders| folders.inspect }, out.lines(chomp: true)
  end
end
