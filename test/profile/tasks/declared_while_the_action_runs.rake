# frozen_string_literal: true

# files: a b

file "out" => "a" do |t|
  File.write(t.name, File.read("a") + File.read("b"))
  t.enhance(["b"])
end

task default: "out"
