# files: a
# undeclared: product checked checked 4

file("checked" => "a") { |t| File.read("a") }

task default: "checked"
