# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/stores"
require "frugal/store"

# A Frugal::Store in forked processes and in Ractors.
class StoreProcessesTest < Frugal::TestCase
  include Stores

  def test_forks
    skip "JRuby cannot fork" unless Process.respond_to?(:fork)
    (HERE & %i[file durable sqlite redis]).each do |kind|
      store = open_store(kind)
      store["a"] = 1
      store.close if kind == :sqlite # prevents a warning of its gem
      child = fork { exit!(store.update("a") { |value| value + 1 } == 2) }
      assert Process.wait2(child).last.success?, kind.inspect
      assert_equal 3, store.update("a") { |value| value + 1 }
    end
  end

  def test_a_fork_does_not_commit_its_parents_transaction
    skip "JRuby cannot fork" unless Process.respond_to?(:fork)
    (HERE & %i[file atomic durable sqlite redis]).each do |kind|
      store = open_store(kind)
      store["a"] = 1
      pid = nil
      begin
        store.transaction do
          store["a"] = 2
          pid = fork
        end
        exit!(1) if pid.nil?
      rescue Frugal::UsageError
        exit!(pid.nil? ? 0 : 2)
      end
      assert Process.wait2(pid).last.success?, kind.inspect
      assert_equal 2, store["a"]
      assert_equal 2, open_store(kind)["a"]
    end
  end

  def test_ractors
    skip "this Ruby has no Ractors" unless defined?(Ractor) && RUBY_ENGINE == "ruby"
    program = "require 'frugal/store'; Ractor.new(ARGV[0]) { |path| Frugal::Store.new(path)[1] }.value"
    result = run_ruby("-W0", RACTOR_VALUE, "-e", program, path("a"))
    refute result.success?
    assert_match(/main Ractor only/, result.err)
  end
end
