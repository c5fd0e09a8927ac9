# frozen_string_literal: true

# files: a
# out: log

file "out" => "a" do |_t|
  puts "building"
  sh "echo child; cp a out", verbose: false
end

task default: "out"
