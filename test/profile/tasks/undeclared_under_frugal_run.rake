# files: a b
# before: frugal run --
# undeclared: read out b 5

file("out" => "a") { |t| File.write(t.name, File.read("b")) }

task default: "out"
