# frozen_string_literal: true

# One side of the differential fuzzer: a process with one version of upstream,
# stock or with the drop-in, that prints a line for each case.
#
#   ruby side.rb active_support ours 42 0,1,2 FOLDER [PLANT]
require "fileutils"
require "logger"
require "pathname"
require "stringio"

kind, side, seed, numbers, home, plant = ARGV
lib = File.expand_path("../../../lib", __dir__)
require "#{lib}/frugal/#{kind}" if side == "ours" && seed.to_i.odd? # before upstream, or after it

# Time stands still, but for Clock.advance.
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
require plant if plant
require_relative "#{kind}_case"
Time.singleton_class.prepend(CacheFuzz::Clock) if kind == "active_support"

if Process.uid.zero? # root may read everything
  File.chown(65_534, 65_534, home)
  Process::Sys.seteuid(65_534)
end
Dir.chdir(home)
$stdout.sync = false
run = kind == "active_support" ? CacheFuzz::ActiveSupportCase : CacheFuzz::SprocketsCase
one = lambda do |number|
  CacheFuzz::Clock.now = CacheFuzz::Clock::START
  random = Random.new((seed.to_i * 1_000_003) + number)
  lines = run.new(random, "tree", doubles: number % 4 == 3).run
  puts [number, *lines].join("\t").gsub("\n", "\\n").gsub(/0x\h+/, "0x").gsub(/20270115-\d+-\w+|(?<=\.cache\.|permissions_check\.)[\d.]+/, "TEMPORARY")
  $stdout.flush
end
numbers.split(",").map(&:to_i).each do |number|
  Dir.mkdir("tree")
  if number % 4 == 3 # in a process of its own: a double of File stays for the rest of it
    Process.wait(fork do
      one.call(number)
      exit!(true)
    end)
    abort "case #{number} ended: #{$?}" unless $?.success?
  else
    one.call(number)
  end
ensure
  CacheFuzz::Mischief.unlock("tree")
  FileUtils.rm_rf("tree")
end
