# frozen_string_literal: true

require_relative "rivals"
require_relative "trees"

module Frugal
  module LinksBench
    # One tree to list, and the rivals that list it.
    Case = Struct.new(:name, :title, :root, :rivals, keyword_init: true) do
      alias_method :to_s, :name
    end

    # All cases: the table of one large tree, and the figure of five shapes.
    class Cases
      FRUGAL = File.expand_path("../../libexec/frugal-run", __dir__)
      TABLE = %w[count strings c-files stat chain refresh run-find run-glob].freeze
      FIGURE = %w[plain directory-links file-links mesh cycles].freeze
      NAMES = [*TABLE, *FIGURE].freeze

      # @param folder [String] the folder of the trees
      # @param rivals [Rivals]
      # @param quick [Boolean]
      def initialize(folder, rivals, quick:)
        @trees = Trees.new(folder, quick: quick)
        @rivals = rivals
        @roots = {}
      end

      # Writes the tree of the case, unless another case has written it.
      #
      # @param name [String] one of {NAMES}
      # @return [Case]
      def [](name)
        tree, title = DESCRIPTIONS.fetch(name)
        root(:plain) if FIGURE.include?(name) # the links lead there
        rivals = FIGURE.include?(name) ? followers : __send__(name.tr("-", "_"))
        Case.new(name: name, title: title, root: root(tree), rivals: rivals.compact)
      end

      DESCRIPTIONS = {
        "count" => [:main, "the number of entries"], "strings" => [:main, "all paths"],
        "c-files" => [:main, "all paths that end in .c"], "stat" => [:main, "each path with mtime and size"],
        "chain" => [:chain, "all paths of a chain of nested directories"],
        "refresh" => [:main, "the changes since the last refresh, by processor time"],
        "run-find" => [:main, "Find.find with a block, under frugal run"], "run-glob" => [:main, "Dir.glob, under frugal run"],
        "plain" => [:plain, "no links"], "directory-links" => [:directory_links, "inner directories are links"],
        "file-links" => [:file_links, "every file is a link"],
        "mesh" => [:mesh, "layers of directories, each links to all of the next layer"],
        "cycles" => [:cycles, "links that lead back up"]
      }.freeze
      private_constant :DESCRIPTIONS

      private

      def root(tree) = @roots[tree] ||= @trees.public_send(tree)

      def count
        [frugal("count", :count), @rivals.dir_glob, @rivals.fd, @rivals.find, @rivals.bfs,
         @rivals.jruby("frugal, count", :count), @rivals.jruby("Dir.glob", :dir_glob)]
      end

      def strings
        [frugal("walk", :walk), frugal("walk, 1 thread", :walk_alone),
         @rivals.dir_glob, @rivals.find_find, @rivals.fd, @rivals.find, @rivals.bfs,
         @rivals.jruby("frugal, walk", :walk), @rivals.jruby("frugal, walk, 1 thread", :walk_alone),
         @rivals.jruby("Dir.glob", :dir_glob), @rivals.jruby("Find.find", :find_find),
         @rivals.java("listFiles", "files"), @rivals.java("listFiles, Fork/Join", "fork")]
      end

      def c_files
        [frugal("walk") { |root| Frugal.walk(root, glob: "**/*.c").to_a.size },
         @rivals.inside("Dir.glob") { |root| Dir.glob("#{root}/**/*.c").size }, @rivals.fd("-e", "c"),
         @rivals.find(tests: ["-name", "*.c"])]
      end

      def stat
        [frugal("walk") { |root| walk_with_columns(root) },
         @rivals.inside("Dir.glob, File.lstat") { |root| glob_and_lstat(root) },
         @rivals.find(tests: ["-printf", "%T@ %s %p\\n"])]
      end

      def chain
        [frugal("walk", :walk), @rivals.dir_glob, @rivals.find_find, @rivals.find, @rivals.fd, @rivals.bfs]
      end

      # The first refresh is not timed, because a snapshot lists recently written directories again.
      def refresh
        snapshot = size = nil
        refresh = lambda do |root|
          snapshot ||= TreeSnapshot.new(root).tap(&:refresh)
          snapshot.refresh
          size ||= snapshot.paths.size
        end
        [@rivals.by_cpu("frugal, refresh", &refresh),
         @rivals.by_cpu("Dir.glob") { |root| Dir.glob("#{root}/**/*").size }]
      end

      def run_find = with_and_without("Find.find", "-1.then { |seen| Find.find(root) { seen += 1 } || seen }")

      def run_glob = with_and_without("Dir.glob", 'Dir.glob("#{root}/**/*").size') # rubocop:disable Lint/InterpolationCheck -- a program

      def with_and_without(label, script)
        [@rivals.child("frugal run, #{label}", FRUGAL, "run", "--", script), @rivals.child(label, script)]
      end

      def followers
        [*%i[paths once].flat_map { |follow| [frugal(":#{follow}", follow), follower(follow, threads: 1)] },
         @rivals.find("-L"), @rivals.fd("-L"), @rivals.bfs("-L"), @rivals.java, @rivals.by_hand, @rivals.dir_glob,
         @rivals.find_find, *%i[paths once].map { |follow| @rivals.jruby("frugal, :#{follow}", follow) }]
      end

      def follower(follow, threads:)
        frugal(":#{follow}, 1 thread") { |root| Frugal.walk(root, follow: follow, threads: threads).to_a.size }
      end

      # @param way [Symbol, nil] a key of {WAYS}; nil: the block
      def frugal(label, way = nil, &run) = @rivals.inside("frugal, #{label}", &(way ? WAYS.fetch(way) : run))

      def walk_with_columns(root)
        list = Frugal.walk(root, stat: %i[mtime size])
        list.column(:mtime)
        list.column(:size)
        list.to_a.size
      end

      # The same values as {#walk_with_columns}, by Ruby: nanoseconds and bytes.
      def glob_and_lstat(root)
        paths = Dir.glob("#{root}/**/*")
        stats = paths.map { |path| File.lstat(path) }
        stats.map { |stat| stat.mtime.then { |time| time.to_i * 1_000_000_000 + time.nsec } }
        stats.map(&:size)
        paths.size
      end
    end
  end
end
