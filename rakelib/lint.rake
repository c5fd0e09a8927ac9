# frozen_string_literal: true

desc "Check the style of Ruby and C and the syntax of the workflows"
task :lint do
  require_relative "lib/lint"
  failed = Lint.all.reject do |check|
    problems = check.problems
    puts problems, "#{check}: #{problems.empty? ? "nothing to report" : "#{problems.size} to fix"}"
    puts "#{check}: #{check.note}" if check.note
    problems.empty?
  rescue Tools::Missing => e
    puts "#{check}: #{e.message}"
  end
  abort "rake lint: failed: #{failed.join(", ")}" if failed.any?
end
