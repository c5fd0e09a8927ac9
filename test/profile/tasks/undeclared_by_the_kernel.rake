# files: a b
# undeclared: read out b 4

file("out" => "a") { |t| IO.copy_stream("b", t.name) }

task default: "out"
