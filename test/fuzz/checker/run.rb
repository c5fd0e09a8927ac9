# frozen_string_literal: true

# ruby run.rb SEED NUMBERS HOME [MUTANT]: prints the first difference, or how much was compared.
require "logger"
require "active_support"
require "active_support/time"
require "active_support/file_update_checker"
require "fileutils"
require "pathname"
require_relative "world"

# Stock's class under another name.
source = $LOADED_FEATURES.grep(%r{/active_support/file_update_checker\.rb\z}).first
eval(File.read(source).sub("module ActiveSupport", "module Stock"), TOPLEVEL_BINDING, source) # rubocop:disable Security/Eval

require_relative "../../../lib/frugal/file_update_checker"
status = Frugal::Dropin.status.find { |one| one.name == :file_update_checker }
abort "the drop-in is not on: #{status.reason}" unless status.state == :on

# Two checkers that watch the same.
class Pair
  VARIABLES = %i[@last_watched @last_update_at @watched @updated_at].freeze

  def initialize(files, folders)
    @executed = { stock: 0, ours: 0 }
    @checkers = { stock: Stock::FileUpdateChecker, ours: ActiveSupport::FileUpdateChecker }.to_h do |side, checker|
      [side, checker.new(files.dup, folders.dup) { @executed[side] += 1 }]
    end
  end

  # @return [Array] what each side answers, and what can be seen of it afterwards
  def ask(name)
    @checkers.map do |side, checker|
      answer = begin
        checker.public_send(name)
      rescue SystemCallError => e
        [e.class, e.message]
      end
      [answer, @executed[side], *VARIABLES.map { |one| checker.instance_variable_get(one) }, checker.instance_variables]
    end
  end

  # @return [Boolean] whether the drop-in knows that nothing has changed
  def known?
    newest, *expected = Frugal::Dropin::FileUpdateChecker.question(@checkers[:ours])
    newest&.unchanged?(*expected)
  end
end

seed, numbers, home, mutant = ARGV
load mutant if mutant
if Process.uid.zero? # which may read every folder
  File.chown(65_534, nil, home)
  Process::Sys.setuid(65_534)
end
totals = Hash.new(0)
numbers.split(",").map(&:to_i).each do |number|
  random = Random.new((seed.to_i * 1_000_003) + number)
  folder = File.join(home, number.to_s)
  FileUtils.mkdir_p(folder)
  Dir.chdir(folder) do
    world = CheckerFuzz::World.new(random)
    pair = begin
      Pair.new(world.files, world.folders)
    rescue SystemCallError
      next # as stock: a link that leads nowhere is watched
    end
    random.rand(10..60).times do |step|
      changes = world.change
      totals[:changes] += changes.size
      random.rand(1..2).times do
        name = %i[updated? updated? updated? execute_if_updated execute][random.rand(5)]
        known = pair.known? if name == :updated?
        stock, ours = pair.ask(name)
        totals[:questions] += 1
        if stock[0] == false && name == :updated?
          totals[:unchanged] += 1
          totals[:left] += 1 unless known
        end
        next if stock == ours

        puts "case #{number}, step #{step}: #{name} after #{changes.join("; ")}\n#{world.files.inspect} " \
             "#{world.folders.inspect}\nstock #{stock.inspect}\nours  #{ours.inspect}"
        exit 1
      end
    end
  end
  FileUtils.rm_rf(folder)
end
puts "#{totals[:changes]} changes, #{totals[:questions]} questions, #{totals[:unchanged]} unchanged, " \
     "#{totals[:left]} of them asked of stock"
