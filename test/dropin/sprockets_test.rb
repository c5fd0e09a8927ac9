# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/upstream_process"

# Sprockets' PathUtils and file cache, stock and with the drop-in: what is listed
# here by name; the rest is the fuzzer's.
class SprocketsTest < Frugal::TestCase
  include UpstreamProcess

  UPSTREAMS = Caches.all("sprockets")
  LOAD = <<~'RUBY'
    require "logger"
    require "sprockets"
    def state = Frugal::Dropin.status.find { |one| one.name == :sprockets }
    def utils = Sprockets::PathUtils
  RUBY
  CACHE = %(CACHE = Sprockets::Cache::FileStore.new("cache");)
  OURS = %(#{LOAD} require "#{LIB}/frugal/sprockets"; abort state.inspect unless state.state == :on;)

  def setup
    skip "the drop-in stands aside here" unless Frugal::Native.engine_name == :c
    skip "bin/setup --caches" if UPSTREAMS.empty?
    write("assets/a.js")
    write("assets/.hidden")
  end

  # What is asked => what stock spends, and what we spend.
  COSTS = {
    %(utils.stat("assets/a.js")) => [%w[stat stat], %w[stat]],
    %(utils.file?("assets/a.js")) => [%w[stat stat], %w[stat]],
    %(utils.directory?("assets")) => [%w[stat stat], %w[stat]],
    %(utils.stat("missing")) => [%w[stat], %w[stat]],
    %(utils.entries("assets")) => [%w[stat open fstat lseek getdents getdents close], %w[open getdents getdents close]],
    %(utils.entries("missing")) => [%w[stat], %w[open]],
    %(CACHE.get("key")) => [%w[stat open ioctl fstat lseek read read close utimensat], %w[open fstat read close utimensat]],
    %(CACHE.get("missing")) => [%w[stat], %w[open]]
  }.freeze

  def test_costs
    script = %(#{CACHE} CACHE.set("key", "v" * 100); #{COSTS.keys.map { |call| "cost { #{call} };" }.join})
    [LOAD, OURS].each_with_index do |load, side|
      assert_equal COSTS.transform_values { |calls| [calls[side], []] }, COSTS.keys.zip(costs_of(UPSTREAMS.last, load + script)).to_h
    end
  end

  def test_what_vanishes_is_a_miss
    script = <<~'RUBY'
      gone = TracePoint.new(:c_return) { |point| File.delete("assets/a.js") if point.method_id == :exist? && gone.disable.!.! && File.file?("assets/a.js") }
      gone.enable
      p((utils.stat("assets/a.js").class rescue $!.class))
    RUBY
    assert_equal "Errno::ENOENT\n", run_upstream(UPSTREAMS.last, LOAD + script).out
    write("assets/a.js")
    assert_equal "File::Stat\n", run_upstream(UPSTREAMS.last, OURS + script).out # it never asked
  end

  def test_however_it_is_loaded
    autorun = "-r#{LIB}/frugal/autorun.rb"
    places = <<~'RUBY'
      cached = Sprockets::Environment.new.cached
      reader = cached.respond_to?(:_stat) ? cached.method(:_stat) : Sprockets::Base.instance_method(:stat)
      places = [utils.method(:entries), reader, Sprockets::Cache::FileStore.instance_method(:safe_open)]
      print state.state, " ", places.map { |method| File.basename(method.source_location.first) }.uniq.join(" ")
    RUBY
    UPSTREAMS.each do |upstream|
      [[autorun, LOAD], [autorun, BYTECODE + LOAD], ["-W0", %(require "#{LIB}/frugal/sprockets"; #{LOAD})], ["-W0", OURS],
       ["-W0", LOAD + CACHE + OURS]].each do |option, load|
        result = run_upstream(upstream, option, load + places)
        assert_equal "on sprockets.rb", result.out, result
      end
    end
  end

  def test_stands_aside
    { %(module Sprockets::PathUtils; def stat(path) = nil; end) => "PathUtils#stat was redefined",
      %(def Dir.entries(*) = super) => "a method of File or Dir was redefined",
      %(Sprockets.send(:remove_const, :VERSION); Sprockets::VERSION = "5.0.0") => "Sprockets 5.0.0 is not known (3.7 and 4.0 to 4.4 are)" }.each do |change, reason|
      result = run_upstream(UPSTREAMS.last, %(#{LOAD} #{change}; require "#{LIB}/frugal/sprockets"; print state.reason))
      assert_equal reason, result.out, result
    end
    own = %(class Sprockets::Cache::FileStore; def get(key) = key; end; require "#{LIB}/frugal/sprockets"; print state.state, CACHE.get("k"), CACHE.method(:safe_open).source_location[0][/\\w+.rb/])
    assert_equal "onkfile_store.rb", run_upstream(UPSTREAMS.last, LOAD + CACHE + own).out
  end
end
