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

  # No list from git: the gem is also built from an archive.
  spec.files = Dir.chdir(__dir__) do
    Dir.glob("{lib,exe,libexec,ext,sig,docs,bench,examples}/**/*").select { |file| File.file?(file) }
       .reject { |file| file.end_with?(".so", ".bundle", ".o") || file.start_with?("lib/frugal/native/ruby-") }
       .reject { |file| file.match?(%r{\Aexamples/[^/]+/(?:site|pages/generated|build)/}) } +
      %w[CHANGELOG.md CONTRIBUTING.md LICENSE README.md SECURITY.md]
  end
  spec.bindir = "exe"
  spec.executables = ["frugal"]
  spec.extensions = ["ext/frugal/extconf.rb"]
  spec.require_paths = ["lib"]
  spec.required_ruby_version = ">= 3.1"
end
