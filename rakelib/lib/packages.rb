# frozen_string_literal: true

require "fileutils"
require "rubygems/package"
require "stringio"
require "tmpdir"

# The gems of this checkout: one with the source of the C extension, one for each platform with compiled libraries, and
# one for JRuby.
#
#   Packages.new.build          # => "pkg/frugal-0.1.0.gem"
#   Packages.new.build_native   # => "pkg/frugal-0.1.0-x86_64-linux-gnu.gem"
#   Packages.new.build_java     # => "pkg/frugal-0.1.0-java.gem"
class Packages
  ROOT = File.expand_path("../..", __dir__)
  NATIVE = "lib/frugal/native"
  JAR = "lib/frugal/native.jar"
  LINUX = /-linux(?:-gnu)?\z/

  # RubyGems 3.6 wants a gem that rake compiles to depend on rake. frugal has no dependency: without rake, its
  # installation prints what to do.
  ACCEPTED = /rake based extension|specification-reference/
  private_constant :ACCEPTED

  # There is nothing to put into a gem.
  class Missing < StandardError; end
  # RubyGems has warnings about the specification.
  class Warned < StandardError; end

  # @param text [String] what `gem build` has printed
  # @return [Array<String>] the warnings that matter
  def self.warnings(text) = text.lines(chomp: true).grep(/WARNING/).grep_v(ACCEPTED)

  # @param root [String] a checkout
  # @param folder [String] the folder for the gems, which is made if it is missing
  def initialize(root = ROOT, folder = File.join(root, "pkg"))
    @root = root
    @folder = folder
  end

  # @return [String] the path of the gem
  def build = pack(specification, @root)

  # A gem for one platform, with the library of each Ruby that was compiled for it: Ruby 3.1 to 4.0 after the workflow
  # release.yml has collected the libraries. Its installation compiles nothing, so there is no bytecode, and
  # `frugal run` reads the sources.
  #
  # @param platform [String] as RUBY_PLATFORM
  # @return [String] the path of the gem
  # @raise [Missing] if no library was compiled
  def build_native(platform = RUBY_PLATFORM)
    libraries = Dir.glob("#{NATIVE}/ruby-*-#{platform}/frugal.{so,bundle}", base: @root).sort
    raise Missing, "there is no library for #{platform} in #{NATIVE}: run `bin/setup --compile`" if libraries.empty?

    Dir.mktmpdir do |stage|
      spec = native_specification(platform, libraries)
      spec.files.each { |file| copy(file, File.join(stage, file)) }
      spec.files += libraries.flat_map { |library| stage_library(library, platform, stage) }
      pack(spec, stage)
    end
  end

  # The gem for JRuby, with the jar of the Java engine. The source gem installs under JRuby, too, but runs in plain
  # Ruby.
  #
  # @return [String] the path of the gem
  # @raise [Missing] if the jar was not compiled
  def build_java
    raise Missing, "there is no #{JAR}: run `bin/setup --jruby`" unless File.file?(File.join(@root, JAR))

    spec = specification
    spec.platform = Gem::Platform.new("java")
    spec.extensions = []
    spec.files = spec.files.grep_v(%r{\Aext/}) << JAR
    pack(spec, @root)
  end

  private

  def specification = Gem::Specification.load(File.join(@root, "frugal.gemspec")).dup

  def native_specification(platform, libraries)
    versions = libraries.map { |library| Gem::Version.new(library[/ruby-([\d.]+)-/, 1]) }.sort
    specification.tap do |spec|
      spec.platform = Gem::Platform.new(platform.sub(LINUX, "-linux-gnu"))
      spec.extensions = []
      spec.files = spec.files.grep_v(%r{\Aext/})
      spec.required_ruby_version = [">= #{versions.first}", "< #{Gem::Version.new("#{versions.last}.0").bump}.dev"]
    end
  end

  # @return [Array<String>] the library's names in the gem
  def stage_library(library, platform, stage)
    names(platform).map do |name|
      library.sub("-#{platform}/", "-#{name}/").tap { |file| copy(library, File.join(stage, file)) }
    end
  end

  # The platform's names in folders: lib/frugal/native.rb looks in a folder that RUBY_PLATFORM names, which is
  # x86_64-linux-gnu in Debian's Ruby and x86_64-linux in Ruby's own build.
  def names(platform)
    platform.match?(LINUX) ? [platform.sub(LINUX, "-linux"), platform.sub(LINUX, "-linux-gnu")] : [platform]
  end

  def copy(file, into)
    FileUtils.mkdir_p(File.dirname(into))
    FileUtils.cp(File.join(@root, file), into, preserve: true)
  end

  # The names of a gem's files are relative to the current directory.
  def pack(spec, folder)
    FileUtils.mkdir_p(@folder)
    gem = File.join(File.expand_path(@folder), spec.file_name)
    said = StringIO.new
    ui = Gem::StreamUI.new(StringIO.new, StringIO.new, said, false)
    Dir.chdir(folder) { Gem::DefaultUserInteraction.use_ui(ui) { Gem::Package.build(spec, false, false, gem) } }
    warnings = self.class.warnings(said.string)
    return gem if warnings.empty?

    FileUtils.rm_f(gem)
    raise Warned, warnings.join("\n")
  end
end
