# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/upstream_process"

# ActiveSupport's FileStore, with and without the drop-in: single cases. The fuzzer tests
# random programs.
class ActiveSupportTest < Frugal::TestCase
  include UpstreamProcess

  UPSTREAMS = Caches.all("activesupport")
  LOAD = <<~'RUBY'
    require "logger"
    require "active_support"
    require "active_support/cache"
    Store = ActiveSupport::Cache::FileStore
    ActiveSupport::Cache.format_version = 7.0 if ActiveSupport::Cache.respond_to?(:format_version=)
    STORE = Store.new("cache")
    def state = Frugal::Dropin.status.find { |one| one.name == :active_support }
  RUBY
  OURS = %(#{LOAD} require "#{LIB}/frugal/active_support"; abort state.inspect unless state.state == :on;)

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine_name == :c
    skip "bin/setup --caches" if UPSTREAMS.empty?
  end

  # A read, then a miss by read and by exist?.
  def test_costs
    script = %(STORE.write("key", "v" * 100); cost { STORE.read("key") }; cost { STORE.read("missing") };) +
             %(cost { STORE.exist?("missing") })
    stock, ours = [LOAD, OURS].map { |load| costs_of(UPSTREAMS.last, load + script) }
    assert_equal [[%w[stat open ioctl fstat lseek read read close], []], [%w[stat], []], [%w[stat], []]], stock
    assert_equal [[%w[open fstat read close], []], [%w[open], []], [%w[open], []]], ours
  end

  # The file is removed just after File.exist? has returned true: stock logs an error.
  def test_a_file_that_is_removed_meanwhile_is_a_miss
    script = <<~'RUBY'
      STORE.write("key", 1)
      name = Dir["cache/**/key"].first
      ActiveSupport::Cache::Store.logger = Logger.new($stdout, level: :error,
                                                      formatter: ->(_, _, _, text) { text[/FileStoreError/].to_s })
      exist = TracePoint.new(:c_return) do |point|
        File.exist?(name) && File.delete(name) if point.method_id == :exist? && exist.disable
      end
      exist.enable
      p STORE.read("key")
    RUBY
    assert_equal "FileStoreErrornil\n", run_upstream(UPSTREAMS.last, LOAD + script).out
    assert_equal "1\n", run_upstream(UPSTREAMS.last, OURS + script).out # it never calls File.exist?
  end

  def test_is_on_in_whatever_order_upstream_is_loaded
    autorun = "-r#{LIB}/frugal/autorun.rb"
    UPSTREAMS.each do |upstream|
      loaded = run_upstream(upstream, autorun, "#{LOAD} print state.state, state.version")
      assert_equal "on#{upstream.delete_prefix("activesupport-")}", loaded.out, loaded
      direct = %(require "logger"; require "active_support"; require "active_support/cache/file_store"; #{LOAD})
      assert_equal "on", run_upstream(upstream, autorun, "#{direct} print state.state").out
      assert_equal "on", run_upstream(upstream, autorun, "#{BYTECODE} #{LOAD} print state.state").out
      before = %(require "#{LIB}/frugal/active_support"; print Frugal.enable(:active_support), " ";) +
               %(#{LOAD} print state.state)
      assert_equal "waiting on", run_upstream(upstream, before).out
    end
  end

  def test_stands_aside
    { %(class Store; private def read_serialized_entry(key, **) = nil; end) =>
        "ActiveSupport::Cache::FileStore#read_serialized_entry was redefined",
      %(Store.prepend(Module.new { private def read_entry(key, **) = super })) =>
        "ActiveSupport::Cache::FileStore#read_entry was redefined",
      %(def File.binread(*) = super) => "File.exist? or File.binread was redefined",
      %(ActiveSupport::VERSION.send(:remove_const, :STRING); ActiveSupport::VERSION::STRING = "9.9.1") =>
        "ActiveSupport 9.9.1 is not a known version (known: 7.0 to 8.1)" }.each do |change, reason|
      result = run_upstream(UPSTREAMS.last,
                            %(#{LOAD} #{change}; require "#{LIB}/frugal/active_support"; print state.reason))
      assert_equal reason, result.out, result
    end
    pure = run_upstream(UPSTREAMS.last, %(#{LOAD} require "#{LIB}/frugal/active_support"; print state.reason),
                        env: { "FRUGAL_ENGINE" => "pure" })
    assert_equal "it pays only with the C or the Java engine", pure.out
  end

  def test_later_redefinitions_by_the_program
    script = <<~'RUBY'
      STORE.write("key", 1)
      subclass = Class.new(Store) { private def read_serialized_entry(key, **) = super.tap { print "sub " } }
      one = subclass.new("cache").read("key")
      File.singleton_class.prepend(Module.new { def exist?(path) = super.tap { print "asked " } })
      p one, STORE.read("key")
    RUBY
    stock, ours = [LOAD, OURS].map { |load| run_upstream(UPSTREAMS.last, load + script).out }
    assert_equal "sub asked 1\n1\n", stock
    assert_equal stock, ours
  end
end
