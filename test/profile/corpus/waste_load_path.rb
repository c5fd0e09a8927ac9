# frozen_string_literal: true

# waste: load_path_misses require
# waste: redundant_call 9
# 120 folders in front of Ruby's own are asked for each library, and each is expanded against the current directory.

120.times do |i|
  Dir.mkdir("lib#{i}")
  $LOAD_PATH.unshift(File.expand_path("lib#{i}"))
end
%w[set json time date erb open3 tempfile optparse forwardable singleton].each do |library|
  require library
end
puts $LOADED_FEATURES.size > 10
