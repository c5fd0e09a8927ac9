# frozen_string_literal: true

# files: a b
# before: frugal run --
# undeclared: read out b 7

file("out" => "a") { |t| File.write(t.name, File.read("b")) }

task default: "out"
