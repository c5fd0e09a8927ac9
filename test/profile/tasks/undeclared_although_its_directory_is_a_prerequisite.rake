# files: src/a
# undeclared: read out src/a 5

directory "src"
file("out" => "src") { |t| File.write(t.name, Dir["src/*"].sort.map { |name| File.read(name) }.join) }

task default: "out"
