# frozen_string_literal: true

# files: a
# undeclared: product checked checked 6

file("checked" => "a") { |_t| File.read("a") }

task default: "checked"
