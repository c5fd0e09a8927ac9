# frozen_string_literal: true

require_relative "trees"

module Frugal
  module RakeBench
    # One build: a tree, a block that prepares it before each run (untimed), and a block that
    # reports whether the last run has built it.
    Case = Struct.new(:name, :title, :tree, :clean, :prepare, :done, keyword_init: true) do
      alias_method :to_s, :name

      # @return [String, nil] what is wrong with the last run
      def fault
        "the build is incomplete" unless done.call
      end
    end

    # Parts of Rake that are timed inside of a process.
    MICRO = {
      "pathmap" => 'pathmap("%{^src,out}X.o") of %s names',
      "ext" => 'ext(".o") of %s names',
      "names" => "FileList: include %s names, exclude 20 of them",
      "patterns" => "FileList: include %s names, exclude a glob and a regexp",
      "glob" => 'FileList["src/*.c"], %s files'
    }.freeze

    # One of {MICRO}.
    Micro = Struct.new(:name, :title) do
      alias_method :to_s, :name
    end

    # All cases. The full sizes are those of the published results; the quick sizes only
    # check that everything works.
    class Cases
      NAMES = %w[boot p10000 p50000 dirty clean dag chain chain-clean].freeze
      FULL = { p10000: 10_000, p50000: 50_000, layers: 40, width: 50, chain: 10_000 }.freeze
      QUICK = { p10000: 100, p50000: 200, layers: 4, width: 20, chain: 60 }.freeze

      # @param folder [String] the folder of the trees
      # @param quick [Boolean]
      def initialize(folder, quick:)
        @folder = folder
        @sizes = quick ? QUICK : FULL
        @trees = {}
      end

      # @param name [String] one of {NAMES}
      # @return [Case] whose tree may not be written yet
      def [](name) = __send__(name.tr("-", "_"))

      private

      def boot = unchanged("boot", "an empty Rakefile", tree(EmptyTree, "empty"))

      def p10000 = unchanged("p10000", "#{count(:p10000)} independent files, nothing to do", independent(:p10000))

      def p50000 = unchanged("p50000", "#{count(:p50000)} independent files, nothing to do", independent(:p50000))

      def dag
        title = "#{@sizes[:layers]} layers of #{@sizes[:width]} files, three prerequisites each, nothing to do"
        unchanged("dag", title, tree(LayeredTree, "dag", *@sizes.values_at(:layers, :width)))
      end

      def chain = unchanged("chain", "a chain of #{count(:chain)} files, nothing to do", chain_tree)

      def chain_clean = from_nothing("chain-clean", "a chain of #{count(:chain)} files, nothing built yet", chain_tree)

      def clean = from_nothing("clean", "#{count(:p10000)} independent files, nothing built yet", independent(:p10000))

      def dirty
        tree = independent(:p50000)
        output, source = tree.edges.to_a[tree.edges.size / 2].flatten.map { |name| tree.path(name) }
        Case.new(name: "dirty", title: "one of #{count(:p50000)} independent files changed", tree: tree, clean: false,
                 prepare: -> { File.utime(nil, nil, source) },
                 done: -> { File.mtime(output) >= File.mtime(source) })
      end

      def unchanged(name, title, tree)
        before = nil
        Case.new(name: name, title: title, tree: tree, clean: false,
                 prepare: -> { before = tree.times }, done: -> { tree.built? && tree.times == before })
      end

      def from_nothing(name, title, tree)
        Case.new(name: name, title: title, tree: tree, clean: true,
                 prepare: -> { tree.clean }, done: -> { tree.built? })
      end

      def independent(size) = tree(IndependentTree, size.to_s, @sizes[size])

      def chain_tree = tree(ChainTree, "chain", @sizes[:chain])

      def tree(kind, name, *sizes) = @trees[name] ||= kind.new(File.join(@folder, name), *sizes)

      def count(size) = Readable.count(@sizes[size])
    end
  end
end
