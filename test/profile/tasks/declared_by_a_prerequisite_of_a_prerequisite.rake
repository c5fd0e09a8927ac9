# frozen_string_literal: true

# files: a b

file("one" => %w[a b]) { |t| touch t.name, verbose: false }
file "two" => "one" do |t|
  File.write(t.name, %w[a b one].map { |name| File.read(name) }.join)
end

task default: "two"
