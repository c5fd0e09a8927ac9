# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/upstream_options"
require "json"

# Whatever fails in frugal's own code before something is visible ends in stock's answer:
# each method of ours that a program's work reaches fails as it is entered.
class OwnFailureTest < Frugal::TestCase
  PROGRAM = File.join(__dir__, "interposition/faults.rb")

  # Where something is visible by then, and where ours is upstream's method itself.
  VISIBLE = {
    "the block of the transaction has run, or is running" =>
      /\AFrugal::(Dropin::Pstore::(Session (save|put)|Image (change|unchanged\?))|Store::(Change of_all|SharedFile write|MarshalTable \S+|MarshalRoots (change|parted\?)))\z/,
    "the block has run, in the pure engine" =>
      /\AFrugal::Native::Pure::(StoreFile (release|unlock|wake|close|forget|unchanged\?|write|know|believe)|StoreOverwrite \S+|StorePool\S* \S+)\z/,
    "what they record is what gives tasks back" => /\AFrugal::Native::Pure::RakeWalk (push|top|finish|task|arguments|depth|chain)\z/,
    "an action has run" => /\AFrugal::Dropin::Rake::Invocation (after_user_code|after)\z/,
    "the tree is gone" => /\AFrugal::Dropin::Fileutils::Trees encode\z/,
    "it is in upstream's class" => /\AFrugal::Dropin::Sinatra::Halts handle_exception!\z/,
    "subscribers have been told, or the error is on its way" => /\AFrugal::Dropin::Rails::(Notifier start|Unwinding twin\?)\z/,
    "it tells what a failure of ours is" => /\AFrugal::Dropin::(OwnFailure \S+|Dir failed\?)\z/
  }.freeze

  UpstreamOptions::GROUPS.each do |group|
    define_method("test_#{group}") do
      %w[c pure].each { |engine| check(group, engine) }
    end
  end

  private

  def check(group, engine)
    @options = UpstreamOptions.of(group) or skip UpstreamOptions::MISSING
    names = JSON.parse(answer("methods", group, engine)).reject { |owner, _, name| VISIBLE.each_value.any? { |pattern| pattern.match?("#{owner} #{name}") } }
    stock = answer("stock", group, engine)
    different = answer("faults", group, engine, JSON.generate(names)).lines.filter_map do |line|
      name, seen = JSON.parse(line)
      "#{engine}: #{name.join(" ")}\n#{first_difference(stock, seen)}" unless plain(seen) == plain(stock)
    end
    assert different.empty?, different.join("\n")
  end

  def answer(role, group, engine, input = "")
    folder = mkdir("#{engine}-#{role}-#{group}")
    result = run_command(RUBY, "-W0", "-I", LIB, *@options, PROGRAM, role, group, chdir: folder, stdin: input,
                         env: { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => engine }, timeout: 300)
    assert result.success?, result
    result.out
  end

  def plain(seen) = seen.gsub(/0x\h{16}|object_id=\d+/, "0x")

  def first_difference(*outcomes)
    parts = outcomes.map { |outcome| plain(outcome).split('","') }
    at = parts.first.zip(parts.last).index { |one, other| one != other } || parts.first.size
    %w[stock ours].zip(parts).map { |side, list| "  #{side}: #{list[at]}" }.join("\n")
  end
end
