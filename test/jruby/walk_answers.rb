# frozen_string_literal: true

# What walks answer, as bytes: java_walk_test.rb compares this Ruby with JRuby.
module WalkAnswers
  WALKS = [{}, { hidden: true, threads: 1 }, { hidden: true, threads: 16 }, { follow: :paths }, { follow: :once, threads: 1 },
           { follow: :once, hidden: true }, { prune: ["d?", "[a-b]*"] }, { ext: %w[c o] }, { glob: "**/*.{c,o}" }, { glob: "*/*" },
           { gitignore: true }, { gitignore: true, hidden: true, follow: :paths }].freeze

  module_function

  # @param roots [Array<String>]
  # @return [Array] for each root and each of WALKS: paths, sizes, times, what was reported as [path, errno] …
  def of(roots) = roots.flat_map { |root| WALKS.map { |options| answer(root, options) } }

  def answer(root, options)
    failures = []
    list = Frugal.walk(root, **options, stat: %i[size mtime], on_error: ->(path, error) { failures << [path.b, error.errno] })
    counted = Frugal.count(root, **options)
    streamed = Frugal.each_path(root, **options, sort: false).map(&:b).sort
    snapshot = Frugal::TreeSnapshot.new(root, **options.except(:follow)) # it follows no links
    [root, options, list.to_a.map(&:b), list.map(&:b) == list.to_a.map(&:b), list.column(:size), list.column(:mtime), failures,
     counted, streamed, snapshot.paths.map(&:b), snapshot.refresh.empty?]
  end
end
