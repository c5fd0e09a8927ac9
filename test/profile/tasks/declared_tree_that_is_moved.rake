# frozen_string_literal: true

# files: a

file "site" => "a" do |t|
  mkdir_p "new/css", verbose: false
  cp "a", "new/index", verbose: false
  cp "a", "new/css/a", verbose: false
  mv "new", t.name, verbose: false
  File.read("site/css/a")
end
file("sum" => "site") { |t| File.write(t.name, Dir["site/**/*"].select { |name| File.file?(name) }.map { |name| File.read(name) }.join) }

task default: "sum"
