# frozen_string_literal: true

require "pathname"
require_relative "outside_change"

module CacheFuzz
  # Random calls of PathUtils and of the file cache, and their results.
  class SprocketsCase
    NAMES = ["a.js", "b.css", "dir", "dir/c.js", "dir/.hidden", "dir/#saved#", "dir/swap~", "#", "~", ".dot", "ü.js",
             "\xFF.js", "dir/sub", "dir/sub/d.js", "missing", "missing/e.js", "a.js/below", "", "n" * 300,
             "x\0y", "key.cache", "a b#", "#half"].freeze
    VALUES = [nil, false, 1, "text", "\xFF".b, "z" * 9000, { uri: "file:///a.js", metadata: { digest: "d" * 32 } },
              [1.5, :symbol]].freeze
    CALLS = %i[stat stat stat file directory entries entries entries stat_directory stat_tree stat_sorted_tree
               environment find_upwards get get get set set clear odd outside_change outside_change make make
               encoding].freeze

    # A user's subclass, which does not only read the content of the file.
    class Own < Sprockets::Cache::FileStore
      def get(key)
        safe_open(File.join(@root, "#{key}.cache")) { |file| [file.size, file.read(3), file.class] }
      end
    end

    # @param doubles [Boolean] whether methods of File may be replaced, for the rest of the process
    def initialize(random, root, doubles:)
      @random = random
      @calls = doubles ? [*CALLS, :stub, :stub] : CALLS
      @root = root
      @logged = []
      @utils = Sprockets::PathUtils
      logger = Logger.new(StringIO.new)
      logger.formatter = ->(_severity, _time, _name, text) { @logged << text; "" }
      @cache = one_of([Sprockets::Cache::FileStore, Sprockets::Cache::FileStore, Own]).new(root, 40_000, logger)
      @environment = Sprockets::Environment.new(root)
    end

    # @return [Array<String>] one line a call
    def run
      Array.new(30) do
        @logged.clear
        call = one_of(@calls)
        line = outcome { __send__(:"call_#{call}") }
        [call, line, @logged, Dir.glob("**/*", base: @root).sort].inspect
      end
    end

    private

    def one_of(list) = list[@random.rand(list.size)]

    def path = [@root, one_of(NAMES)].join("/")

    def outcome
      yield
    rescue StandardError => e
      [e.class, e.message]
    end

    def shown(stat) = stat.is_a?(File::Stat) ? [stat.class, stat.ftype, stat.size, stat.mode] : stat

    def call_stat = shown(@utils.stat(path))

    def call_file = @utils.file?(path)

    def call_directory = @utils.directory?(path)

    def call_entries = @utils.entries(one_of([@root, path])).map { |name| [name, name.encoding, name.frozen?] }

    def call_stat_directory = @utils.stat_directory(one_of([@root, path])).map { |name, stat| [name, shown(stat)] }

    def call_stat_tree = @utils.stat_tree(@root).map { |name, stat| [name, shown(stat)] }

    def call_stat_sorted_tree = @utils.stat_sorted_tree(@root).map { |name, stat| [name, shown(stat)] }

    def call_environment
      cached = @environment.cached
      [shown(cached.stat(name = path)), shown(cached.stat(name)), cached.entries(name), cached.entries(@root),
       cached.file?(name)]
    end

    def call_find_upwards = @utils.find_upwards("a.js", path, @root)

    def call_get = @cache.get(one_of(%w[key other dir/sub/deep missing a.js] << "n" * 300 << "x\0y"))

    def call_set = @cache.set(one_of(%w[key other dir/sub/deep]), one_of(VALUES))

    # Without the message: which file it fails at first depends on the order of the file system.
    def call_clear
      @cache.clear
    rescue SystemCallError => e
      e.class
    end

    # An argument that is not a String with the path of a file.
    def call_odd
      odd = one_of([nil, 1, Pathname(path), File.open(@root), "a".encode("UTF-16LE"), Class.new(String).new(path),
                    Struct.new(:to_str).new(path)])
      [outcome { shown(@utils.stat(odd)) }, outcome { @utils.entries(odd) }].inspect.gsub(/0x\h+/, "")
    end

    def call_outside_change = OutsideChange.run(@random, @root)

    def call_make
      name = path
      FileUtils.mkdir_p(File.dirname(name))
      one_of([true, true, false]) ? File.write(name, "made") : FileUtils.mkdir_p(name)
    end

    # Replaces a method of File or Dir, as a test does.
    def call_stub
      owner, name, answer = one_of([[File, :exist?, false], [File, :stat, :stubbed], [File, :directory?, false],
                                    [File, :open, :stubbed], [Dir, :entries, %w[b a .c]]])
      owner.singleton_class.prepend(Module.new do
        define_method(name) do |*path, **options, &block|
          path.join.end_with?("dir", "key.cache") ? answer.dup : super(*path, **options, &block)
        end
      end)
      name
    end

    def call_encoding
      verbose, $VERBOSE = $VERBOSE, nil
      before = [Encoding.default_external, Encoding.default_internal]
      Encoding.default_external, Encoding.default_internal =
        one_of([["UTF-8", "UTF-8"], ["US-ASCII", nil], ["ISO-8859-1", "UTF-8"], ["UTF-8", "ISO-8859-1"],
                ["Shift_JIS", nil], ["BINARY", nil]])
      outcome { File.write("#{@root}/ü.js", "made") }
      [call_entries, outcome { call_get }, shown(@utils.stat(@root))]
    ensure
      Encoding.default_external, Encoding.default_internal = before
      $VERBOSE = verbose
    end
  end
end
