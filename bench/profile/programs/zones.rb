# frozen_string_literal: true

# Reads a hundred time zones of the system with TZInfo, again and again. Stock reads 4 or 8 bytes at a time; the change
# reads each file at once.
require "tzinfo"
require "stringio"

side = ARGV.fetch(0)
size = ARGV.fetch(1).to_i
return if side == "prepare"

TZInfo::DataSource.set(:zoneinfo)
if side == "changed"
  TZInfo::DataSources.module_eval do
    const_get(:ZoneinfoReader).class_eval do
      def read(path) = parse(StringIO.new(File.binread(path)))
    end
  end
end
source = TZInfo::DataSource.get
names = source.timezone_identifiers.first(100)
(size / names.size).times { names.each { |name| source.send(:load_timezone_info, name) } }
