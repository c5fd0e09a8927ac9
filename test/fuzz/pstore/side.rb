# frozen_string_literal: true

# The process of one side of the comparison: runs the drafts FIRST to LAST of a seed with
# the PStore that is loaded, each in its own folder, and prints the recorded events.
#
#   ruby -I tmp/pstores/gems/pstore-0.3.0/lib side.rb SEED FIRST LAST FOLDER
require "pstore"
require_relative "run"
require_relative "body"
require "yaml" if RUBY_ENGINE == "jruby" # its jars are unpacked into a folder of the first user
require "stringio" if RUBY_ENGINE == "jruby"

$VERBOSE = nil
seed, first, last = ARGV.first(3).map(&:to_i)
folder = ARGV.fetch(3)
if Process.uid.zero? # root may read every file
  File.chown(65_534, 65_534, folder)
  Process::Sys.setgid(65_534)
  Process::Sys.setuid(65_534)
end
File.umask(0o022)
$stdout.sync = true
(first..last).each do |number|
  place = File.join(folder, number.to_s)
  Dir.mkdir(place)
  draft = PStoreFuzz::Draft.new(seed * 1_000_003 + number, PStore::VERSION)
  events = Dir.chdir(place) { PStoreFuzz::Run.new(draft).call }
  puts "#{number}\t#{[draft.format, draft.file, draft.options].inspect}\t#{Marshal.dump(events).unpack1("H*")}"
end
if defined?(Frugal)
  status = Frugal::Dropin.status.find { |one| one.name == :pstore }
  $stderr.puts "drop-in: #{status.state} #{status.reason}"
end
