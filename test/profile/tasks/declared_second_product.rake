# frozen_string_literal: true

# files: grammar

file "parser.c" => "grammar" do |t|
  sh "cp grammar #{t.name} && cp grammar parser.h", verbose: false
end
file "parser.h" => "parser.c"
file("out" => "parser.h") { |t| File.write(t.name, File.read("parser.h") + File.read("parser.c")) }

task default: "out"
