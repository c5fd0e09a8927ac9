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
  CHANGES = %w[chroot without_our_files without_rights frozen in_a_trap_handler few_descriptors
               fake_files frugal_among_fake_files].freeze
  DOUBLES = Dir.glob("#{ROOT}/tmp/doubles/gems/*/lib").map { |folder| "-I#{folder}" }

  # Each case runs in one of the four ways, in a different order for each group; AFTERWARDS=all runs all.
  WAYS = [%w[c run], %w[pure enabled], %w[c enabled], %w[pure run]].freeze

  UpstreamOptions::GROUPS.product(CHANGES).each_with_index do |(group, change), number|
    ways = ENV["AFTERWARDS"] == "all" ? WAYS : [WAYS[(number + number / CHANGES.size) % WAYS.size]]
    define_method("test_#{group}_#{change}") { check(group, change, ways) }
  end

  private

  def check(group, change, ways)
    skip "only root may do that" if %w[chroot without_rights].include?(change) && !Process.uid.zero?
    options = UpstreamOptions.of(group) or skip UpstreamOptions::MISSING
    options += DOUBLES
    skip "bin/setup --doubles" if DOUBLES.empty? && change.include?("fake")
    stock = seen("stock", group, change, options)
    ways.each do |engine, way|
      lib = change.start_with?("without") ? copy(path("#{engine}-#{way}-lib")) : LIB
      autorun = way == "run" ? ["-r#{lib}/frugal/autorun.rb"] : ["-I#{lib}"]
      assert_equal stock, seen("#{engine}-#{way}", group, change, options + autorun, lib, engine: engine),
                   "#{engine}, #{way}"
    end
  end

  # A copy of frugal for the cases that remove its files.
  def copy(folder)
    system("cp", "-r", LIB, folder, exception: true)
    folder
  end

  def seen(name, group, change, options, *lib, engine: "c")
    File.chmod(0o755, tree)
    result = run_command(RUBY, "-W0", *options, PROGRAM, group, change, *lib, chdir: mkdir(name),
                                                                              env: { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => engine })
    assert result.success?, result
    JSON.parse(result.out.gsub(/0x\h{16}/, "0x"))
  end
end
