# frozen_string_literal: true

# uses: doubles

require_relative "../test_helper"
require_relative "../support/upstream_options"
require "json"

# A program that has loaded frugal changes its surroundings: it moves to another root
# directory, becomes another user, freezes its classes, runs in a signal handler, loses
# frugal's own files, or has hardly any free descriptor. frugal must not need to load a
# file then, or must handle the failure silently: the results are those of stock.
class AfterwardsTest < Frugal::TestCase
  PROGRAM = File.join(__dir__, "interposition/afterwards.rb")
  # In this order: those that take frugal's own files away come last.
  CHANGES = %w[chroot frozen in_a_trap_handler few_descriptors fake_files frugal_among_fake_files without_rights without_our_files].freeze
  DOUBLES = Dir.glob("#{ROOT}/tmp/doubles/gems/*/lib").map { |folder| "-I#{folder}" }
  WAYS = [%w[c run], %w[pure enabled], %w[c enabled], %w[pure run]].freeze

  UpstreamOptions::GROUPS.zip(WAYS.cycle) do |group, way|
    define_method("test_#{group}") do
      @options = UpstreamOptions.of(group) or skip UpstreamOptions::MISSING
      stock = seen("stock", group)
      assert_equal changes, stock.keys
      assert(stock.each_value.all?(Array), stock)
      (QUICK ? [way] : WAYS).each do |engine, switch|
        compare(stock, seen("#{engine}-#{switch}", group, *enabled(engine, switch), engine: engine), "#{engine}, #{switch}")
      end
      assert_every_change_was_tried
    end
  end

  private

  def compare(stock, ours, way)
    changes.each { |change| assert_equal stock[change], ours[change], "#{change}: #{way}" }
  end

  def changes
    CHANGES.reject { |change| DOUBLES.empty? && change.include?("fake") || !Process.uid.zero? && %w[chroot without_rights].include?(change) }
  end

  def assert_every_change_was_tried
    skip "bin/setup --doubles" if DOUBLES.empty?
    skip "only root may do that" unless Process.uid.zero?
  end

  # @return [Array] the folder of a copy of frugal, and the options with which a program uses it
  def enabled(engine, way)
    lib = path("#{engine}-#{way}-lib")
    system("cp", "-r", LIB, lib, exception: true)
    [lib, way == "run" ? "-r#{lib}/frugal/autorun.rb" : "-I#{lib}"]
  end

  # @return [Hash{String => Array, String}] results by the change
  def seen(name, group, lib = nil, *switch, engine: "c")
    File.chmod(0o755, tree)
    result = run_command(RUBY, "-W0", *@options, *DOUBLES, *switch, PROGRAM, group, changes.join(","), *lib,
                         chdir: mkdir(name), env: { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => engine })
    assert result.success?, result
    result.out.lines.to_h { |line| JSON.parse(line.gsub(/0x\h{16}/, "0x")) }.sort_by { |change, _| CHANGES.index(change) }.to_h
  end
end
