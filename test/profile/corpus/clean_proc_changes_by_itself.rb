# frozen_string_literal: true

# clean

20.times { File.read("/proc/self/stat") }
puts 20.times.count { File.exist?("/proc/1/stat") }
