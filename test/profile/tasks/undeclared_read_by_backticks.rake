# frozen_string_literal: true

# files: version
# undeclared: read about version 7

file "about" do |t|
  File.write(t.name, `cat version`)
end

task default: "about"
