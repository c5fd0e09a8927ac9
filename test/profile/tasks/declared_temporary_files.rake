# frozen_string_literal: true

# files: a

require "tempfile"
require "tmpdir"
file "out" => "a" do |t|
  File.write("work", "x")
  File.read("work")
  rm "work", verbose: false
  sh "sort a > half && cat half > other && mv other #{t.name}.new && rm half", verbose: false
  mv "#{t.name}.new", t.name, verbose: false
  Tempfile.create { |file| file.write("x"); file.flush; File.read(file.path) }
  Dir.mktmpdir { |folder| cp "a", folder, verbose: false }
  mkdir "tree", verbose: false
  cp "a", "tree/a", verbose: false
  rm_rf "tree", verbose: false
end

task default: "out"
