# frozen_string_literal: true

# Writes a store in PStore's format, in a separate process, so that its memory is freed:
#
#   ruby bench/pstore/build.rb strings 10000 FILE
require_relative "contents"

kind, roots, path = ARGV
File.binwrite(path, Marshal.dump(Frugal::PStoreBench::Contents.new(kind, Integer(roots)).table))
