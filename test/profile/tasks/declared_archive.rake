# frozen_string_literal: true

# files: a b

# ar(1) writes a file of its own, by mkstemp(3), and renames it.
file "out.a" => %w[a b] do |t|
  sh "ar rc #{t.name} a b", verbose: false
end

task default: "out.a"
