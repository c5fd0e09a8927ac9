# frozen_string_literal: true

# files: src/a
# undeclared: read out src/a 7

directory "src"
file("out" => "src") { |t| File.write(t.name, Dir["src/*"].map { |name| File.read(name) }.join) }

task default: "out"
