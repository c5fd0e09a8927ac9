# frozen_string_literal: true

require_relative "../test_helper"
require_relative "../support/upstream_options"
require "json"

# If frugal's own code fails before the program has seen an effect, the result is that of
# stock. Makes each of frugal's methods that a program calls raise when it is called.
class OwnFailureTest < Frugal::TestCase
  PROGRAM = File.join(__dir__, "interposition/faults.rb")

  # The methods that are called after an effect is visible, or that are themselves upstream's method.
  VISIBLE = {
    "the block of the transaction has run, or is running" =>
      /\AFrugal::(Dropin::Pstore::(KeptFile\ (save|put)|Image\ (change|unchanged\?))|
        Store::(Change\ of_all|SharedFile\ write|MarshalTable\ \S+|MarshalRoots\ (change|sharing_broken\?)))\z/x,
    "the block has run, in the pure engine" =>
      /\AFrugal::Native::Pure::(StoreOverwrite\ \S+|StorePool\S*\ \S+|
        StoreFile\ (leave|release|unlock|drop_inherited|close|invalidate|unchanged\?|write|validate|revalidate))\z/x,
    "what they record is needed to hand tasks back to Rake" => /\AFrugal::Native::Pure::RakeWalk (push|top|finish|task|arguments|depth|chain)\z/,
    "an action has run" => /\AFrugal::Dropin::Rake::Invocation (after_user_code|error_to_raise)\z/,
    "the tree is already removed" => /\AFrugal::Dropin::Fileutils::Trees encode\z/,
    "it is defined in upstream's class" => /\AFrugal::Dropin::Sinatra::Halts handle_exception!\z/,
    "subscribers were notified, or the error is being raised" => /\AFrugal::Dropin::Rails::(Notification start|Reraise another\?)\z/,
    "it finds out whether a failure is ours" => /\AFrugal::Dropin::(OwnFailure \S+|Dir failed\?)\z/
  }.freeze

  # `bin/test` runs each group with one engine, Rails with C: there the methods do not depend on the engine.
  UpstreamOptions::GROUPS.each_with_index do |group, number|
    one = group == "rails" || number.even? ? "c" : "pure"
    define_method("test_#{group}") { (ALL ? %w[c pure] : [one]).each { |engine| check(group, engine) } }
  end

  private

  def check(group, engine)
    @options = UpstreamOptions.of(group) or skip UpstreamOptions::MISSING
    names = JSON.parse(answer("methods", group, engine)).reject do |owner, _, name|
      VISIBLE.each_value.any? { |pattern| pattern.match?("#{owner} #{name}") }
    end
    stock = answer("stock", group, engine)
    names = names.each_slice(3).map(&:first) if QUICK
    different = answer("faults", group, engine, JSON.generate(names)).lines.filter_map do |line|
      name, seen = JSON.parse(line)
      "#{engine}: #{name.join(" ")}\n#{first_difference(stock, seen)}" unless plain(seen) == plain(stock)
    end
    assert different.empty?, different.join("\n")
  end

  def answer(role, group, engine, input = "")
    folder = mkdir("#{engine}-#{role}-#{group}")
    env = { "RUBYOPT" => nil, "RUBYLIB" => nil, "FRUGAL_ENGINE" => engine }
    result = run_command(RUBY, "-W0", "-I", LIB, *@options, PROGRAM, role, group, chdir: folder, stdin: input, env: env, timeout: 300)
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
