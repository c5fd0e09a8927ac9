# frozen_string_literal: true

# files: a b
# undeclared: read out b 6

file("out" => "a") { |t| IO.copy_stream("b", t.name) }

task default: "out"
