# frozen_string_literal: true

# files: a b
# undeclared: read out b 7

file "out" => "a" do |t|
  Process.wait(fork { File.write(t.name, File.read("b")) })
end

task default: "out"
