# frozen_string_literal: true

# files: a
# undeclared: read two one 8 one

file("one" => "a") { |t| cp "a", t.name, verbose: false }
file "two" => "a" do |t|
  File.write(t.name, File.read("one"))
end

task default: %w[one two]
