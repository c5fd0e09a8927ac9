# frozen_string_literal: true

# files: a b
# undeclared: read ab b 7

file "ab" => "a" do |t|
  sh "cat a b > #{t.name}", verbose: false
end

task default: "ab"
