# frozen_string_literal: true

# uses: doubles

require_relative "../test_helper"
require_relative "../support/upstream_options"
require "json"
require_relative "interposition/kinds"

# A program or its tests redefine, stub or prepend to a replaced method, before or after
# frugal is loaded: the results are those of stock. The methods are those that the drop-ins
# really replace; the kinds of changes are in interposition/kinds.rb.
class InterpositionTest < Frugal::TestCase
  SIDE = File.join(__dir__, "interposition/side.rb")
  # Up to version 5, minitest includes minitest/mock.
  GEMS = Dir.glob("#{ROOT}/tmp/doubles/gems/*/lib").reject do |folder|
    folder.include?("/minitest-mock-") && Minitest::VERSION < "6"
  end
  DOUBLES = GEMS.map { |folder| "-I#{folder}" }
  AUTORUN = "-r#{LIB}/frugal/autorun.rb"
  # Runs one case in ten or thirty, but at least eight; INTERPOSITION=all runs all. `bin/test` without names of files runs at
  # least three, with one engine.
  SHARE = { "all" => 1 }.fetch(ENV["INTERPOSITION"], ALL ? 10 : 30)
  LEAST = QUICK ? 3 : 8

  # An application takes long to boot, and the methods replaced in it do not depend on the engine.
  UpstreamOptions::GROUPS.each_with_index do |group, number|
    engines = QUICK ? [%w[c pure][number % 2]] : %w[c pure]
    define_method("test_#{group}") { check(group, group == "rails" && SHARE > 1 ? %w[c] : engines) }
  end

  private

  def check(group, engines)
    skip "bin/setup --doubles" if DOUBLES.empty?
    @options = UpstreamOptions.of(group) or skip UpstreamOptions::MISSING
    cases = cases(group)
    refute_empty cases, "nothing is replaced" # in ActiveSupport 8 it is one method
    stock = seen(cases, group, "stock")
    differences = engines.flat_map do |engine|
      [["before", []], ["after", []], ["stock", [AUTORUN]]].flat_map do |role, autorun|
        seen(cases, group, role, *autorun, engine: engine).filter_map do |one, outcome|
          next if outcome == stock[one]

          way = autorun.empty? ? role : "frugal run"
          "#{engine}, #{way}, #{one.join(" ")}\n#{first_difference(stock[one], outcome)}"
        end
      end
    end
    assert differences.empty?, differences.join("\n")
  end

  def first_difference(*outcomes)
    parts = outcomes.map { |outcome| outcome.split('","') }
    at = parts.first.zip(parts.last).index { |one, other| one != other } || parts.first.size
    %w[stock ours].zip(parts).map { |side, list| "  #{side}: #{list[at]}" }.join("\n")
  end

  def cases(group)
    result = run_command(RUBY, "-W0", "-I", LIB, *@options, SIDE, "list", group, env: { "RUBYOPT" => nil })
    assert result.success?, result
    all = JSON.parse(result.out).flat_map do |path, singleton, name|
      Kinds.of(singleton).map { |kind| [path, singleton, name, kind.to_s] }
    end
    all.each_slice([SHARE, all.size / LEAST].min.clamp(1..)).map(&:first)
  end

  def seen(cases, group, role, *ruby, engine: "c")
    folder = mkdir("#{engine}-#{role}#{ruby.size}-#{group}")
    env = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => engine }
    result = run_command(RUBY, "-W0", *ruby, "-I", LIB, *@options, *DOUBLES, SIDE, role, group,
                         chdir: folder, env: env, stdin: JSON.generate(cases), timeout: 300)
    assert result.success?, result
    result.out.lines.to_h { |line| JSON.parse(line.gsub(/0x\h+|object_id=\d+/, "0x").gsub(folder, "FOLDER")) }
  end
end
