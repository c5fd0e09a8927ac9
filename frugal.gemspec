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

  # The code, the benchmarks of `frugal bench`, the example of `frugal demo`, man pages, completions and guides.
  # The list does not come from git: the gem is also built from an archive.
  patterns = %w[
    {lib,exe,libexec,ext,sig,bench,examples/document-tree,man,completions}/**/*
    docs/*.{md,json} {CHANGELOG,README,SECURITY}.md LICENSE
  ]
  # Compiled files and the sources of the jar, which is in the gem for JRuby, files that the example makes, results of
  # other machines, an application in D.
  left_out = %r{\.(?:so|bundle|o|iseq|class|jar)\z|\Alib/frugal/native/ruby-|\Aext/java/|
                \Aexamples/[^/]+/(?:site|pages/generated)/|\Abench/(?:results|errors/apps/vibe\.d)/}x
  spec.files = Dir.glob(patterns, base: __dir__).sort.grep_v(left_out)
                  .select { |file| File.file?(File.join(__dir__, file)) }
  spec.bindir = "exe"
  spec.executables = ["frugal"]
  spec.extensions = ["ext/frugal/extconf.rb", "ext/frugal_recorder/extconf.rb"]
  spec.require_paths = ["lib"]
  spec.required_ruby_version = ">= 3.1"
end
