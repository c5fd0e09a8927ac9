# frozen_string_literal: true

# files: a.md layout.erb
# undeclared: read out/a.html layout.erb 10

directory "out"

file "out/a.html" => ["a.md", "out"] do |t|
  text = File.read(t.source)
  File.write(t.name, text + File.read("layout.erb"))
end

task default: "out/a.html"
