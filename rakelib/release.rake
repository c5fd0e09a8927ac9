# frozen_string_literal: true

desc "Build the gem into pkg/"
task :build do
  require_relative "lib/packages"
  puts Packages.new.build
end

namespace :build do
  desc "Build a gem with the compiled libraries of this platform into pkg/"
  task :native do
    require_relative "lib/packages"
    puts Packages.new.build_native
  rescue Packages::Missing => e
    abort "rake build:native: #{e.message}"
  end

  desc "Build the gem for JRuby, with the jar of the Java engine, into pkg/"
  task :java do
    require_relative "lib/packages"
    puts Packages.new.build_java
  rescue Packages::Missing => e
    abort "rake build:java: #{e.message}"
  end
end

namespace :release do
  desc "Build the gem, install it into an empty folder, and try everything from there; or GEM=file"
  task :check do
    require_relative "lib/packages"
    require_relative "lib/release_check"
    abort "rake release:check: failed" unless ReleaseCheck.new(ENV["GEM"] || Packages.new.build).call
  end
end

# The workflow release.yml runs this task, with a token that RubyGems gives only to that workflow.
desc "Push every gem in pkg/ to rubygems.org"
task :release do
  gems = FileList["pkg/frugal-*.gem"]
  abort "rake release: pkg/ holds no gem: run `rake build`" if gems.empty?
  gems.each { |gem| sh "gem", "push", gem }
end
