# frozen_string_literal: true

# files: a b/c

file "out" => "a" do |t|
  File.exist?("b/c") && File.mtime("b/c") && File.readable?("b/c")
  Dir.children("b")
  Dir["b/*"]
  File.open("missing") rescue Errno::ENOENT
  File.write(t.name, "x")
end

task default: "out"
