# frozen_string_literal: true

# One side of the differential fuzzer: a process with one version of upstream,
# stock or with the drop-in, that prints a line for each case.
#
#   ruby side.rb active_support ours 42 0,1,2 FOLDER [MUTANT]
require "fileutils"
require "logger"
require "pathname"
require "stringio"

kind, side, seed, numbers, home, mutant = ARGV
lib = File.expand_path("../../../lib", __dir__)
require "#{lib}/frugal/#{kind}" if side == "ours" && seed.to_i.odd? # before upstream; after it for an even seed

# A clock that only Clock.advance moves.
module CacheFuzz
  module Clock
    START = Time.at(1_800_000_000)
    @now = START

    class << self
      attr_accessor :now

      def advance(seconds) = @now += seconds
    end

    def now(...) = Clock.now
  end
end

if kind == "active_support"
  require "active_support"
  require "active_support/cache"
  require "active_support/core_ext/object/blank"
  require "active_support/notifications"
  ActiveSupport::Cache::FileStore.name
  ActiveSupport::Cache.format_version = 7.0 if ActiveSupport::Cache.respond_to?(:format_version=)
else
  require "sprockets"
  Sprockets::Cache::FileStore.name
end
if side == "ours"
  require "#{lib}/frugal/#{kind}"
  state = Frugal::Dropin.status.find { |one| one.name == kind.to_sym }
  abort "not on: #{state.to_h}" unless state.state == :on
end
require mutant if mutant
require_relative "#{kind}_case"
Time.singleton_class.prepend(CacheFuzz::Clock) if kind == "active_support"

if Process.uid.zero? # root can read everything
  File.chown(65_534, 65_534, home)
  Process::Sys.seteuid(65_534)
end
Dir.chdir(home)
$stdout.sync = false
case_class = kind == "active_support" ? CacheFuzz::ActiveSupportCase : CacheFuzz::SprocketsCase
run_case = lambda do |number|
  CacheFuzz::Clock.now = CacheFuzz::Clock::START
  random = Random.new((seed.to_i * 1_000_003) + number)
  lines = case_class.new(random, "tree", doubles: number % 4 == 3).run
  line = [number, *lines].join("\t").gsub("\n", "\\n").gsub(/0x\h+/, "0x")
  puts line.gsub(/20270115-\d+-\w+|(?<=\.cache\.|permissions_check\.)[\d.]+/, "TEMPORARY")
  $stdout.flush
end
numbers.split(",").map(&:to_i).each do |number|
  Dir.mkdir("tree")
  if number % 4 == 3 # in a process of its own, since a double of File stays there for good
    Process.wait(fork do
      run_case.call(number)
      exit!(true)
    end)
    abort "case #{number} ended: #{$?}" unless $?.success?
  else
    run_case.call(number)
  end
ensure
  CacheFuzz::OutsideChange.unlock("tree")
  FileUtils.rm_rf("tree")
end
