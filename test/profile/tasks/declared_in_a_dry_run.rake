# frozen_string_literal: true

# files: a b
# rake: -n

file("out" => "a") { |t| File.write(t.name, File.read("b")) }

task default: "out"
