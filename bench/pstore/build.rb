# frozen_string_literal: true

# Writes a store as PStore has it, in a process of its own, whose memory goes with it:
#
#   ruby bench/pstore/build.rb strings 10000 FILE
require_relative "contents"

kind, roots, path = ARGV
File.binwrite(path, Marshal.dump(Frugal::PStoreBench::Contents.new(kind, Integer(roots)).table))
