# frozen_string_literal: true

require "ripper"
require "set"
require_relative "../test_helper"
require_relative "../support/circles"

# Arrows point down only: no file of lib/ requires a file of a layer above its own, or names a constant of one, and no files require each other.
class LayersTest < Frugal::TestCase
  LIB_FRUGAL = File.join(ROOT, "lib/frugal")

  # From the bottom up; a file belongs to the first layer that knows its name.
  LAYERS = {
    words: /\A(version|error|loader|platform|constants|readable)\.rb\z/,
    native: %r{\Anative(\.rb\z|/)},
    capabilities: %r{\A(probe|walk|wait|seal|store|http|rack|files|entries|session|cache)(\.rb\z|/)},
    dropins: %r{\A(dropin(\.rb\z|/)|autorun/|rails/|\.\./frugal\.rb\z|
                  (autorun|rake|dir|find|pstore|fileutils|active_support|file_update_checker|sprockets|rails|sinatra)\.rb\z)}x,
    command: /\A(command|launcher)\.rb\z/,
    profile: %r{\Aprofile(\.rb\z|/)},
    compare: %r{\A(compare|budget|cost|minitest|rspec)(\.rb\z|/)},
    observe: %r{\A(demo|doctor)(\.rb\z|/)},
    cli: %r{\Acli(\.rb\z|/)}
  }.freeze

  # What a line of Ruby asks for, by its own folder or by the load path; what
  # comes after the first interpolation is left out, so that a folder remains.
  RELATIVE = /^\s*require_relative\s*\(?"([^"#]+)/
  BY_FOLDER = %r{\bautoload\b.*"\#\{__dir__\}/([^"#]+)}
  BY_NAME = %r{^\s*(?:require|autoload\s+:\w+,)\s*\(?"(frugal(?:/[^"#]*)?)"}

  def test_every_file_has_a_layer
    assert_operator files.size, :>, 400
    assert_empty files.reject { |file| layer(file) }, "give these a layer in #{__FILE__}"
  end

  def test_no_file_requires_a_file_of_a_layer_above
    assert_operator arrows.size, :>, 600
    upwards = arrows.select { |from, to| layer(to) && layer(from) && layer(to) > layer(from) }
    assert_empty upwards.map { |from, to| "#{from} (#{layer_name(from)}) requires #{to} (#{layer_name(to)})" }
  end

  def test_no_circle
    targets = arrows.group_by(&:first).transform_values { |found| found.map(&:last) }
    assert_empty Circles.among(files) { |file| targets.fetch(file, []) }
  end

  def test_no_file_names_a_constant_of_a_layer_above
    assert_operator homes.size, :>, 25
    upwards = files.flat_map do |file|
      above = homes.select { |_, home| home > layer(file) }.keys & (names(Ripper.sexp(source(file))) - inner[layer(file)])
      above.map { |name| "#{file} names #{name}" }
    end
    assert_empty upwards
  end

  # On some path, nothing else would have loaded it. (What autorun.rb loads finds the Loader there.)
  def test_a_file_that_names_platform_requires_it
    targets = arrows.group_by(&:first).transform_values { |found| found.map(&:last) }
    needed = lambda do |file, seen|
      targets.fetch(file, []).each { |target| needed.call(target, seen) if seen.add?(target) }
      seen
    end
    naming = files.select { |file| names(Ripper.sexp(source(file))).include?("Platform") } - ["platform.rb"]
    naming.reject! { |file| file.start_with?("native/") } # native.rb has loaded it
    assert_operator naming.size, :>, 30
    assert_empty naming.reject { |file| needed.call(file, Set.new).include?("platform.rb") }
  end

  def test_every_arrow_ends_in_a_layer
    assert_empty arrows.reject { |_, to| layer(to) }
  end

  private

  # @return [Array<String>] paths below lib/frugal; lib/frugal.rb is "../frugal.rb"
  def files
    @files ||= Dir.glob("**/*.rb", base: LIB_FRUGAL) + ["../frugal.rb"]
  end

  # @return [Array<Array(String, String)>] who asks for what
  def arrows
    @arrows ||= files.flat_map { |file| targets(file).map { |target| [file, target] } }
  end

  def source(file) = File.read(File.join(LIB_FRUGAL, file), encoding: "UTF-8")

  # @return [Hash{String => Integer}] the lowest layer that defines a constant of Frugal's
  def homes
    @homes ||= files.each_with_object({}) do |file, homes|
      defined_in(Ripper.sexp(source(file))).each { |name| homes[name] = [homes[name], layer(file)].compact.min }
    end
  end

  # @return [Hash{Integer => Array<String>}] by layer, the modules and classes of its own deeper than directly below Frugal, such as Pure::Probe
  def inner
    @inner ||= files.group_by { |file| layer(file) }.transform_values do |files|
      files.flat_map { |file| source(file).scan(/^ {4,}(?:module|class) (\w+)/).flatten }
    end
  end

  # @return [Array<String>] the modules and classes directly below Frugal
  def defined_in(node, below = false)
    return [] unless node.is_a?(Array)
    return node.flat_map { |child| defined_in(child, below) } unless %i[module class].include?(node[0])

    name = node[1][-1][1]
    return [name] if below && node[1][0] == :const_ref

    %w[Frugal FrugalRuntime].include?(name) ? node.drop(2).flat_map { |child| defined_in(child, true) } : []
  end

  # @return [Array<String>] the constants of Frugal's that code names: by Frugal::Name, or by the first name of a path
  def names(node)
    return [] unless node.is_a?(Array)
    return [node[2][1]] if node[0] == :const_path_ref && %w[Frugal FrugalRuntime].include?(node[1][1].is_a?(Array) && node[1][1][1])
    return [node[1][1]] if node[0] == :var_ref && node[1][0] == :@const

    node.flat_map { |child| names(child) }
  end

  def targets(file)
    source = source(file)
    beside = (source.scan(RELATIVE) + source.scan(BY_FOLDER)).flatten.map { |name| File.join(File.dirname(file), name) }
    named = source.scan(BY_NAME).flatten.map { |name| "../#{name}" }
    (beside + named).map { |name| normal(name) }
  end

  def normal(name)
    full = File.expand_path(name, LIB_FRUGAL)
    full += "/" if name.end_with?("/")
    full += ".rb" unless full.end_with?("/", ".rb")
    full == "#{LIB_FRUGAL}.rb" ? "../frugal.rb" : full.delete_prefix("#{LIB_FRUGAL}/")
  end

  def layer(file) = LAYERS.values.index { |pattern| pattern.match?(file) }

  def layer_name(file) = LAYERS.keys[layer(file)]
end
