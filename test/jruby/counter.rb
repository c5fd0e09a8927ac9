# frozen_string_literal: true

# A process of java_store_test.rb: counts in a store that other processes count in, too.
#
#   jruby counter.rb FILE TIMES LIBRARY   LIBRARY: what is counted with, pstore or frugal/pstore
require "pstore"

path, times, library = ARGV
require library
if library == "frugal/pstore"
  state = Frugal::Dropin.status.find { |drop_in| drop_in.name == :pstore }
  abort state.inspect unless state.state == :on
end
store = PStore.new(path)
Integer(times).times { store.transaction { store[:count] = store.fetch(:count, 0) + 1 } }
puts "done"
