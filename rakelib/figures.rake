# frozen_string_literal: true

desc "Write docs/does-it-help-me.md from the newest reports in bench/results"
task :figures do
  require_relative "../test/style/figures/reports"
  require_relative "../test/style/figures/quotes"
  reports = Reports.new("bench/results")
  Quotes.pages("test/style/figures").each { |page, source| File.write(page, Quotes.filled(File.read(source), reports)) }
end
