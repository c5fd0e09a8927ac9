# frozen_string_literal: true

# files: a
# undeclared: write one shared 7 two
# undeclared: write two shared 8 one

file("one" => "a") { |t| File.write("shared", "1"); touch t.name, verbose: false }
file("two" => "a") { |t| File.write("shared", "2"); touch t.name, verbose: false }

multitask default: %w[one two]
