# frozen_string_literal: true

# files: a out:old

file "out" => "a" do |t|
  old = File.read(t.name)
  File.write(t.name, old + File.read("a"))
end
task(:force) { touch "a", mtime: Time.now + 60, verbose: false }

task default: %w[out]
task(:a) { touch "a", mtime: Time.now + 60, verbose: false }
file "out" => :a
