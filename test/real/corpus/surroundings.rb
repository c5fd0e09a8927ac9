# Programs in unusual environments: test doubles of methods that frugal replaces, and a Rails application with
# bootsnap.

project "stubs-minitest", "Dir.stub, mocha and an alias chain around Dir.glob" do
  gems "minitest-5.25.5", "mocha-2.7.1", "ruby2_keywords-0.0.5"
  tree folder: "stubs_minitest"
  run "ruby", "-w", "test/catalogue_test.rb", "--seed", "7", "--verbose"
  quick
end

project "stubs-rspec", "RSpec's and_call_original on Dir.glob" do
  gems :rspec
  tree folder: "stubs_rspec"
  run "rspec", "--seed", "7", "--format", "documentation"
  quick
end

if RUBY_VERSION.to_f < 4.0 # FakeFS requires irb, which is no longer part of Ruby
  project "fakefs", "a suite with FakeFS in place of File, Dir and FileUtils" do
    gems "fakefs-2.5.0", "minitest-5.25.5"
    tree folder: "fake_files"
    run "ruby", "test/fake_files_test.rb", "--seed", "7", "--verbose"
    quick
  end
end

rails = lambda do
  gems <<~GEMS, :minitest
    railties-7.2.2.1 actionpack-7.2.2.1 actionview-7.2.2.1 activesupport-7.2.2.1 sprockets-rails-3.5.2
    sprockets-4.2.2 bootsnap-1.18.4 msgpack-1.8.0 concurrent-ruby-1.3.5 i18n-1.14.7 tzinfo-2.0.6
    connection_pool-2.5.5 securerandom-0.4.1 thor-1.3.2 zeitwerk-2.6.18 builder-3.3.0 erubi-1.13.1 useragent-0.16.11
    rails-html-sanitizer-1.6.2 rails-dom-testing-2.3.0 loofah-2.24.1 crass-1.0.6 rack-3.1.16 rack-session-2.1.1
    rack-test-2.2.0 rackup-2.2.1 base64-0.3.0 logger-1.7.0 benchmark-0.4.1 bigdecimal-3.2.2 drb-2.2.3 cgi-0.5.2
    racc-1.8.1 irb-1.15.2 pp-0.6.2 prettyprint-0.2.0 reline-0.6.1 io-console-0.8.0 rdoc-6.14.0 psych-5.5.0
    erb-4.0.4.1 stringio-3.2.0 date-3.6.0
  GEMS
  # The newest precompiled version for that Ruby.
  gems RUBY_VERSION.to_f < 3.4 ? "nokogiri-1.16.8" : "nokogiri-1.18.10"
  tree folder: "rails_app"
  # The keys and the contents of its caches have times.
  normalise(/\d{4}-\d\d-\d\d[T ][\d:.]+(?: ?UTC|Z| [+-]\d{4})?/ => "DATE",
            /"mtime":"[^"]+"/ => '"mtime":"DATE"', /#\d+\]/ => "#PID]",
            /\b\h{8}-\h{4}-\h{4}-\h{4}-\h{12}\b/ => "REQUEST",
            /\d+(?:\.\d+)?ms/ => "TIME", /(Allocations|GC): [\d.]+/ => "\\1: N",
            /sprockets-manifest-\h{32}/ => "sprockets-manifest-RANDOM")
  bytes_vary_in "tree/tmp/cache/**/*", "tree/public/assets/*.gz"
end

project "rails-assets", "a Rails application with bootsnap: assets:precompile, twice" do
  instance_exec(&rails)
  env "RAILS_ENV" => "production"
  run "sh", "-c", "rake assets:precompile && rake assets:precompile"
end

project "rails-test", "a Rails application with bootsnap: its tests, twice" do
  instance_exec(&rails)
  run "sh", "-c", "for run in 1 2; do ruby -Itest test/controllers/posts_test.rb --seed 7 || exit; done"
end
