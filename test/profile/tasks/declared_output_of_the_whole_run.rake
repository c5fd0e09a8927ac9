# files: a
# out: log

file "out" => "a" do |t|
  puts "building"
  sh "echo child; cp a out", verbose: false
end

task default: "out"
