# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/upstream_process"

# Sprockets' PathUtils and file cache, with and without the drop-in: single cases. The
# fuzzer tests random programs.
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

  # A call => the system calls of stock, and those of the drop-in.
  COSTS = {
    %(utils.stat("assets/a.js")) => [%w[stat stat], %w[stat]],
    %(utils.file?("assets/a.js")) => [%w[stat stat], %w[stat]],
    %(utils.directory?("assets")) => [%w[stat stat], %w[stat]],
    %(utils.stat("missing")) => [%w[stat], %w[stat]],
    %(utils.entries("assets")) => [%w[stat open fstat lseek getdents getdents close], %w[open getdents getdents close]],
    %(utils.entries("missing")) => [%w[stat], %w[open]],
    %(CACHE.get("key")) => [%w[stat open ioctl fstat lseek read read close utimensat],
                            %w[open fstat read close utimensat]],
    %(CACHE.get("missing")) => [%w[stat], %w[open]]
  }.freeze

  def test_costs
    script = %(#{CACHE} CACHE.set("key", "v" * 100); #{COSTS.keys.map { |call| "cost { #{call} };" }.join})
    [LOAD, OURS].each_with_index do |load, side|
      assert_equal COSTS.transform_values { |calls| [calls[side], []] },
                   COSTS.keys.zip(costs_of(UPSTREAMS.last, load + script)).to_h
    end
  end

  def test_a_file_that_is_removed_meanwhile_is_a_miss
    script = <<~'RUBY'
      gone = TracePoint.new(:c_return) do |point|
        File.delete("assets/a.js") if point.method_id == :exist? && gone.disable.!.! && File.file?("assets/a.js")
      end
      gone.enable
      p((utils.stat("assets/a.js").class rescue $!.class))
    RUBY
    assert_equal "Errno::ENOENT\n", run_upstream(UPSTREAMS.last, LOAD + script).out
    write("assets/a.js")
    assert_equal "File::Stat\n", run_upstream(UPSTREAMS.last, OURS + script).out # it never calls File.exist?
  end

  def test_is_on_in_whatever_order_upstream_is_loaded
    autorun = "-r#{LIB}/frugal/autorun.rb"
    places = <<~'RUBY'
      cached = Sprockets::Environment.new.cached
      reader = cached.respond_to?(:_stat) ? cached.method(:_stat) : Sprockets::Base.instance_method(:stat)
      places = [utils.method(:entries), reader, Sprockets::Cache::FileStore.instance_method(:safe_open)]
      ours = places.map { |method| RubyVM::InstructionSequence.disasm(method).include?("frugal_stock_") }
      print state.state, " ", ours.inspect
    RUBY
    UPSTREAMS.each do |upstream|
      [[autorun, LOAD], [autorun, BYTECODE + LOAD], ["-W0", %(require "#{LIB}/frugal/sprockets"; #{LOAD})],
       ["-W0", OURS],
       ["-W0", LOAD + CACHE + OURS]].each do |option, load|
        result = run_upstream(upstream, option, load + places)
        assert_equal "on [true, true, true]", result.out, result
      end
    end
  end

  # The program's own load_iseq, as bootsnap's, is asked for each file that Ruby loads.
  def test_no_file_of_frugal_is_loaded_under_frugal_run
    script = %(def (RubyVM::InstructionSequence).load_iseq(path) = (puts path if path.start_with?("#{LIB}/"); nil); #{LOAD}) +
             %(Sprockets::Environment.new.cached; print FrugalRuntime::Dropin.status.find { |one| one.name == :sprockets }.state)
    UPSTREAMS.each { |upstream| assert_equal "on", run_upstream(upstream, "-r#{LIB}/frugal/autorun.rb", script).out, upstream }
  end

  def test_stands_aside
    { %(module Sprockets::PathUtils; def stat(path) = nil; end) => "Sprockets::PathUtils#stat was redefined",
      %(def Dir.entries(*) = super) => "a method of File or Dir was redefined",
      %(Sprockets.send(:remove_const, :VERSION); Sprockets::VERSION = "5.0.0") =>
        "Sprockets 5.0.0 is not a known version (known: 3.7, 4.0 to 4.4)" }.each do |change, reason|
      result = run_upstream(UPSTREAMS.last, %(#{LOAD} #{change}; require "#{LIB}/frugal/sprockets"; print state.reason))
      assert_equal reason, result.out, result
    end
    own = %(class Sprockets::Cache::FileStore; def get(key) = key; end; require "#{LIB}/frugal/sprockets";) +
          %(print state.state, CACHE.get("k"), CACHE.method(:safe_open).source_location[0][/\\w+\\.rb/])
    assert_equal "onkfile_store.rb", run_upstream(UPSTREAMS.last, LOAD + CACHE + own).out
  end
end
