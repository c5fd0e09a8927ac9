# frozen_string_literal: true

# files: a b
# undeclared: read inner b 6

file("inner" => "a") { |t| File.write(t.name, File.read("b")) }
file "outer" => "a" do |t|
  Rake::Task["inner"].invoke
  File.write(t.name, File.read("a") + File.read("inner"))
end

task default: "outer"
