# Gems whose packages bring their own suite.

MINITEST = %w[minitest-5.25.5 rake-13.2.1].freeze
RSPEC = %w[rspec-3.13.0 rspec-core-3.13.3 rspec-expectations-3.13.3 rspec-mocks-3.13.2 rspec-support-3.13.2 diff-lcs-1.5.1].freeze

project "builder", "its Rakefile's test task" do
  gems "builder-3.3.0", MINITEST
  tree gem: "builder"
  run "rake", "test_all"
  quick
end

project "slim", "its Rakefile's test task" do
  gems "slim-5.2.2", "temple-0.10.3", "tilt-2.6.1", MINITEST
  tree gem: "slim"
  run "rake", "test"
end

project "minitest", "its own suite" do
  gems "minitest-5.25.5"
  tree gem: "minitest"
  run "ruby", "-Ilib:test", "-e", 'Dir["test/minitest/test_*.rb"].sort.each { |file| require "./#{file}" }', "--", "--seed", "7"
  quick
end

project "kramdown", "its suite, made of a glob of documents" do
  gems "kramdown-2.5.1", "rexml-3.4.1", "rouge-4.5.2", MINITEST
  tree gem: "kramdown"
  run "ruby", "-Ilib", "-e", 'Dir["./test/test_*.rb"].sort.each { |file| require file }', "--", "--seed", "7"
end

project "addressable", "its RSpec suite" do
  gems "addressable-2.8.7", "public_suffix-5.1.1", "rspec-its-1.3.1", RSPEC
  tree gem: "addressable"
  run "rspec", "--seed", "7"
end

project "mustache", "its suite" do
  gems "mustache-1.1.1", MINITEST
  tree gem: "mustache"
  run "ruby", "-Ilib:test", "-e", 'Dir["./test/*_test.rb"].sort.each { |file| require file }', "--", "--seed", "7"
end
