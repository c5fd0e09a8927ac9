# frozen_string_literal: true

desc "Make the documentation in tmp/docs; fails for a warning and for an undocumented method"
task :docs do
  require_relative "lib/docs"
  problems = Docs.new.problems
  abort ["rake docs: failed:", *problems].join("\n") if problems.any?
  puts "tmp/docs/index.html"
rescue Tools::Missing => e
  abort "rake docs: #{e.message}"
end
