# Gems whose packages bring their own suite.

project "builder", "its Rakefile's test task" do
  gems "builder-3.3.0", :minitest
  tree gem: "builder"
  run "rake", "test_all"
  quick
end

project "minitest", "its own suite" do
  gems "minitest-5.25.5"
  tree gem: "minitest"
  run "ruby", "-Ilib:test", "-e", 'Dir["./test/minitest/test_*.rb"].sort.each { |f| require f }', "--", "--seed", "7"
end

project "kramdown", "its suite, made of a glob of documents" do
  gems "kramdown-2.5.1", "rexml-3.4.1", "rouge-4.5.2", "stringex-2.8.6", :minitest
  tree gem: "kramdown"
  run "ruby", "-Ilib", "-e", 'Dir["./test/test_*.rb"].sort.each { |file| require file }', "--", "--seed", "7"
end

project "addressable", "its RSpec suite under Bundler, with SimpleCov" do
  gems "addressable-2.8.7", "public_suffix-5.1.1", "rspec-its-1.3.1", :simplecov, :rspec
  tree gem: "addressable"
  write "Gemfile" => <<~RUBY
    gem "addressable", path: "."
    gem "rspec"
    gem "rspec-its"
    gem "simplecov"
  RUBY
  run "rspec", "--seed", "7", "--exclude-pattern", "**/net_http*" # which asks the network
  normalise(/"timestamp": \d+/ => '"timestamp": T', /\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d/ => "DATE")
end

project "mustache", "its suite, with SimpleCov" do
  gems "mustache-1.1.1", :simplecov, :minitest
  tree gem: "mustache"
  run "ruby", "-Ilib:test", "-e", 'Dir["./test/*_test.rb"].sort.each { |file| require file }', "--", "--seed", "7"
  normalise(/"timestamp": \d+/ => '"timestamp": T', /\d{4}-\d\d-\d\dT[\d:]+[+-]\d\d:\d\d/ => "DATE")
end
