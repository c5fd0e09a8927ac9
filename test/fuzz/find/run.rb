# frozen_string_literal: true

require "find"
require "pathname"
require "timeout"
require "zlib"
require_relative "../../../lib/frugal/find"
require_relative "block"

module FindFuzz
  # One case: the same tree and the same block under stock and under the drop-in.
  class Run
    STOCK = ->(paths, **options, &block) { Find.__send__(:frugal_stock_find, *paths, **options, &block) }
    OURS = ->(paths, **options, &block) { Find.find(*paths, **options, &block) }
    WATCHES = [0, 0, 1, 3, 10, 30, nil].freeze

    def initialize(seed, number, home)
      @seed = seed
      @number = number
      @home = home
    end

    # @return [Array, nil] both results where they differ: [stock's, ours]
    def difference(one = STOCK, two = OURS)
      results = [one, two].map { |finder| result(finder) }
      results.first == results.last ? nil : results
    end

    private

    def random(salt) = Random.new((@seed * 1_000_003 + @number) * 16 + salt)

    def result(finder)
      watch_after(WATCHES.sample(random: random(1)))
      world = "#{@home}/w"
      Dir.mkdir(world)
      Dir.chdir(world)
      Tree.new(random(2)).make
      File.symlink(".", "link") if random(3).rand < 0.5
      walk(finder, world)
    ensure
      Dir.chdir(@home)
      Dir.each_child(@home) { |name| Tree.remove("#{@home}/#{name}") }
    end

    def watch_after(count)
      Frugal::Dropin::Find.__send__(:remove_const, :WATCH_AFTER)
      Frugal::Dropin::Find.const_set(:WATCH_AFTER, count)
    end

    def walk(finder, world)
      block = Block.new(random(4), world)
      before = descriptors
      outcome = outcome(finder, block, world)
      report(block, outcome, world) if block.child?
      [outcome, block.seen, (descriptors - before), Tree.snapshot(@home)]
    end

    # A forked child makes a folder whose name has a checksum of its result. It is part of the tree that is compared.
    def report(block, outcome, world)
      Dir.mkdir("#{world}.fork#{Zlib.crc32(Marshal.dump([outcome, block.seen]))}")
    ensure
      exit!(true)
    end

    def outcome(finder, block, world)
      result = :enough
      catch(:enough) do
        result = Timeout.timeout(20) { finder.call(roots(world), **options) { |path| block.call(path, finder) } }
      end
      result
    rescue StandardError => e
      [e.class, e.message]
    end

    def options = random(5).rand < 0.25 ? { ignore_error: false } : {}

    def roots(world)
      random = random(6)
      all = ["t", "./t", "t/", "#{world}/t", "link/t", "#{world}/link/t/", "t/../t", "t/a", ".", "link", "t//",
             "missing", Pathname("t"), "t".encode("US-ASCII"), "t".b, "t".encode("EUC-JP"), "#{world}/link/link/t"]
      all.sample([1, 1, 1, 2].sample(random: random), random: random)
    end

    def descriptors
      links = Dir.children("/proc/self/fd").filter_map { |fd| File.readlink("/proc/self/fd/#{fd}") rescue nil }
      links.select! { |link| link.start_with?(@home) } if RUBY_ENGINE == "jruby" # the JVM has others of its own
      links.grep_v(%r{/proc/}).sort
    end
  end
end
