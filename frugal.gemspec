# frozen_string_literal: true

require_relative "lib/frugal/version"

Gem::Specification.new do |spec|
  home = "https://github.com/frugal-rb/frugal"

  spec.name = "frugal"
  spec.version = Frugal::VERSION
  spec.authors = ["The frugal maintainers"]
  spec.summary = "Makes Ruby programs stop wasting system calls, exceptions and writes"
  spec.description = <<~TEXT
    Probes that answer in one system call, with nil instead of an exception where nothing is there; drop-ins that
    behave exactly like what they replace, Rake first; and commands that run any Ruby program with them, and prove the
    gain.
  TEXT
  spec.homepage = home
  spec.license = "MIT"

  spec.metadata = {
    "source_code_uri" => home,
    "changelog_uri" => "#{home}/blob/main/CHANGELOG.md",
    "bug_tracker_uri" => "#{home}/issues",
    "documentation_uri" => "#{home}/tree/main/docs",
    "rubygems_mfa_required" => "true"
  }

  # The code, the example of `frugal demo`, man pages, completions and guides. The benchmarks of `frugal bench` are for
  # a checkout. The list does not come from git: the gem is also built from an archive.
  patterns = %w[
    {lib,exe,libexec,ext,sig,examples/document-tree,man,completions}/**/*
    docs/*.{md,json} {CHANGELOG,README,SECURITY}.md LICENSE
  ]
  # Compiled files and the sources of the jar, which is in the gem for JRuby, files that the example makes, and the
  # manuals of single benchmarks.
  left_out = %r{\.(?:so|bundle|o|iseq|class|jar)\z|\Alib/frugal/native/ruby-|\Aext/(?:java|build)/|
                \Aexamples/[^/]+/(?:site|pages/generated)/|\Aman/man1/frugal-bench-}x
  spec.files = Dir.glob(patterns, base: __dir__).sort.grep_v(left_out)
                  .select { |file| File.file?(File.join(__dir__, file)) }
  spec.bindir = "exe"
  spec.executables = ["frugal"]
  spec.extensions = ["ext/mkrf_conf.rb"]
  # RubyGems runs rake for such an extension; each Ruby brings one. It is no dependency of a program that uses frugal.
  spec.add_development_dependency "rake", "~> 13.0" # rubocop:disable Gemspec/DevelopmentDependencies
  spec.require_paths = ["lib"]
  spec.required_ruby_version = ">= 3.1"
end
