# files: version
# undeclared: read about version 5

file "about" do |t|
  File.write(t.name, `cat version`)
end

task default: "about"
