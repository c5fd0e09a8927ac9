# frozen_string_literal: true

# files: a b

file("made" => "b") { |t| cp "b", t.name, verbose: false }
file("out" => "a") { |t| File.write(t.name, File.read("a") + File.read("made")) } | ["made"]

task default: "out"
