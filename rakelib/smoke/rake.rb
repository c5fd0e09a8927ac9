# frozen_string_literal: true

# Requires: rake

extend Rake::DSL

File.write("a", "")
file("b" => "a") { |task| cp "a", task.name, verbose: false }
Rake::Task["b"].invoke
File.file?("b") or abort "b was not built"
