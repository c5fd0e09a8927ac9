# Rakefiles and generators that build something.

project "mruby", "its Rakefile builds an interpreter: autoload :Pathname, a thousand file tasks" do
  gems "rake-13.2.1"
  tree checkout: "MRUBY_CHECKOUT" # tried with tag 3.4.0
  needs "cc", "ar"
  write "real_build.rb" => <<~'RUBY'
    MRuby::Build.new do |conf|
      conf.toolchain :gcc
      conf.gembox "stdlib"
      conf.gem core: "mruby-bin-mruby"
      conf.cc.flags = %w[-std=gnu99 -O0]
    end
  RUBY
  env "MRUBY_CONFIG" => "%{tree}/real_build.rb"
  run "rake", "-s", "all"
end

project "autoload", "a Rakefile with autoload :Pathname, like mruby's" do
  gems "rake-13.2.1"
  write "Rakefile" => <<~'RUBY', "lib/a.rb" => "A = 1\n", "lib/deep/b.rb" => "B = 2\n"
    autoload :Pathname, "pathname"
    SOURCES = FileList["lib/**/*.rb"]
    directory "out"
    SOURCES.each do |source|
      file(source.pathmap("out/%n.txt") => [source, "out"]) do |t|
        File.write(t.name, Pathname.new(source).realpath.read)
        puts t.name
      end
      task default: source.pathmap("out/%n.txt")
    end
  RUBY
  run "rake"
  quick
end

project "asciidoctor", "converts the files of a glob; has autoload :Pathname" do
  gems "asciidoctor-2.0.23"
  tree gem: "asciidoctor"
  run "asciidoctor", "--destination-dir", "out", "**/*.adoc"
end

project "yard", "documents Rake" do
  gems "yard-0.9.37", "rake-13.2.1"
  tree gem: "rake"
  run "yard", "doc", "lib/**/*.rb", "-", "README.rdoc"
  normalise(/Generated on .* by/ => "Generated on DATE by")
  bytes_vary_in "tree/.yardoc/**/*"
end

project "rdoc", "documents Rake, as HTML and for ri" do
  gems "rdoc-6.14.0", "psych-5.5.0", "erb-4.0.4.1", "stringio-3.2.0", "date-3.6.0", "cgi-0.5.2", "rake-13.2.1"
  tree gem: "rake"
  run "sh", "-c", "rdoc --output html lib doc README.rdoc && rdoc --ri --op ri lib && find html ri | sort | wc -l"
  normalise(/^\w{3}, \d\d \w{3} \d{4} [\d:]+ [+-]\d{4}$/ => "DATE")
  bytes_vary_in "tree/html/js/*.gz"
end

project "rubocop", "with its result cache, whose key depends on the files that are loaded" do
  gems <<~GEMS
    rubocop-1.75.8 rubocop-ast-1.50.0 parser-3.3.13.0 racc-1.8.1 ast-2.4.3 prism-1.9.0 regexp_parser-2.13.1
    rainbow-3.1.1 lint_roller-1.1.0 language_server-protocol-3.17.0.6 parallel-1.28.0 ruby-progressbar-1.13.0
    unicode-display_width-3.3.0 unicode-emoji-4.3.0 json-2.21.2 builder-3.3.0
  GEMS
  tree gem: "builder"
  write ".rubocop.yml" => "AllCops:\n  NewCops: disable\n  SuggestExtensions: false\n"
  # Not the settings of the folders above.
  env "RUBOCOP_CACHE_ROOT" => "%{home}/.cache"
  run "rubocop", "--config", ".rubocop.yml", "--cache", "true", "--format", "emacs"
  ends_with 1
end

project "sprockets", "compiles assets with its Rake task" do
  gems "sprockets-4.2.2", "rack-3.1.16", "concurrent-ruby-1.3.5", "logger-1.7.0", "rake-13.2.1"
  write "assets/app.js" => "//= require_tree ./parts\n", "assets/app.css" => "/*\n *= require_tree ./parts\n */\n"
  40.times { |n| write "assets/parts/p#{n}.js" => "var p#{n};\n", "assets/parts/p#{n}.css" => ".p#{n} { top: 0 }\n" }
  write "Rakefile" => <<~'RUBY'
    require "logger"
    require "rake/sprocketstask"
    Rake::SprocketsTask.new do |t|
      t.environment = Sprockets::Environment.new(".") { |env| env.append_path("assets") }
      t.environment.cache = Sprockets::Cache::FileStore.new("tmp/cache")
      t.output = "public/assets"
      t.assets = %w[app.js app.css]
    end
    task default: :assets
  RUBY
  run "sh", "-c", "rake && rake"
  normalise(/\d{4}-\d\d-\d\dT[\d:.]+(?: #\d+)?/ => "DATE", /"mtime":"[^"]+"/ => '"mtime":"DATE"', /#\d+\]/ => "#PID]",
            /sprockets-manifest-\h{32}/ => "sprockets-manifest-RANDOM")
  bytes_vary_in "tree/tmp/cache/**/*", "tree/public/assets/*.gz"
  quick
end

project "jekyll", "a site of fifty posts, built twice" do
  gems <<~GEMS
    jekyll-3.10.0 kramdown-2.5.1 kramdown-parser-gfm-1.1.0 rexml-3.4.1 rouge-3.30.0 liquid-4.0.4 mercenary-0.3.6
    pathutil-0.16.2 forwardable-extended-2.6.0 safe_yaml-1.0.5 colorator-1.1.0 addressable-2.8.7 public_suffix-5.1.1
    i18n-1.14.7 concurrent-ruby-1.3.5 jekyll-sass-converter-1.5.2 sass-3.7.4 csv-3.3.5 webrick-1.9.1
    bigdecimal-3.2.2
  GEMS
  write "_config.yml" => "title: real\nincremental: true\n",
        "css/site.scss" => "---\n---\nbody { p { margin: 1px } }\n",
        "_layouts/post.html" => "<h1>{{ page.title }}</h1>{{ content }}{% include foot.html %}",
        "_includes/foot.html" => "<hr>"
  50.times do |n|
    write format("_posts/2024-01-%02d-post-%d.md", (n % 28) + 1, n) =>
          "---\nlayout: post\ntitle: P#{n}\n---\n# Part\n\n```ruby\nputs #{n}\n```\n"
  end
  # Without its command, for which RubyGems would need eventmachine, which only its server uses.
  env "RUBYLIB" => "%{libraries}"
  run "sh", "-c", "for run in 1 2; do ruby --disable-gems %{gem:jekyll}/exe/jekyll build || exit; done"
  bytes_vary_in "tree/.jekyll-metadata"
end

project "nanoc", "a site with a layout and a checksum store" do
  gems <<~GEMS
    nanoc-4.12.21 nanoc-core-4.12.21 nanoc-cli-4.12.21 nanoc-checking-1.0.6 nanoc-deploying-1.0.2 addressable-2.8.7
    public_suffix-5.1.1 colored-1.2 parallel-1.28.0 tty-command-0.10.1 tty-platform-0.3.0 tty-which-0.5.0
    tty-color-0.6.0 pastel-0.8.0 zeitwerk-2.6.18 slow_enumerator_tools-1.1.0 memo_wise-1.13.0 json_schema-0.21.0
    concurrent-ruby-1.3.5 immutable-ruby-0.2.0 sorted_set-1.1.0 rbtree-0.4.7 ddplugin-1.0.3 ddmetrics-1.1.0
    base64-0.3.0 cri-2.15.12 diff-lcs-1.5.1 pry-0.16.1 coderay-1.1.3 method_source-1.1.0 psych-5.5.0 stringio-3.2.0
    date-3.6.0 reline-0.7.0 io-console-0.9.5
  GEMS
  prepare "nanoc", "create-site", "--force", "."
  write "content/about.html" => "---\ntitle: About\n---\n<p>real</p>\n", "content/deep/er/page.html" => "<p>deep</p>\n"
  # The order in which it compiles differs between two runs.
  run "sh", "-c", "{ nanoc compile && nanoc compile; } | sed 's/ *\\[.*\\]//' | sort"
  normalise(%r{tmp/nanoc/\h{12}} => "tmp/nanoc/KEY")
  bytes_vary_in "tree/tmp/nanoc/**/*"
end

project "gem-install", "RubyGems builds a gem and installs it with its documentation" do
  gems "builder-3.3.0"
  tree gem: "builder"
  write "builder.gemspec" => <<~'RUBY'
    Gem::Specification.new do |s|
      s.name = "builder"
      s.version = "3.3.0"
      s.summary = "Builders for MarkUp."
      s.description = "Of markup."
      s.authors = ["Jim Weirich"]
      s.email = "a@example.com"
      s.homepage = "https://example.com"
      s.license = "MIT"
      s.files = Dir["lib/**/*.rb"]
    end
  RUBY
  env "SOURCE_DATE_EPOCH" => "1700000000"
  run "sh", "-c", "gem build builder.gemspec && " \
                  "gem install --local --document ri,rdoc --install-dir %{home}/gems ./builder-3.3.0.gem"
  normalise(/^\w{3}, \d\d \w{3} \d{4} [\d:]+ [+-]\d{4}$/ => "DATE")
end

project "bundler", "runs a suite under bundle exec, with a lock file that it writes" do
  gems "bundler-2.5.23", "builder-3.3.0", :minitest
  tree gem: "builder"
  write "Gemfile" => "gem \"rake\"\ngem \"minitest\"\n"
  prepare "rm", "-f", "Gemfile.lock"
  run "sh", "-c", "bundle install --local && bundle exec rake test_all && bundle list"
end
