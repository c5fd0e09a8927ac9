# frozen_string_literal: true

# files: gen.rb:File.write("made",\s"x")
# undeclared: read made gen.rb 7

file "made" do
  ruby "gen.rb", verbose: false
end

task default: "made"
