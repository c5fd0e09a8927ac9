# frozen_string_literal: true

require_relative "../../readable"

module Frugal
  module CLI
    module Store
      # Results as text: the verdict first, the next step last.
      class Report
        # @param io [IO]
        def initialize(io)
          @io = io
        end

        # @return [Integer] 0, as from all public methods
        def stats(path, stats)
          verdict("#{path}: #{roots(stats[:roots])}, #{bytes(stats[:bytes])}, #{kind(stats)}")
          return 0 if stats[:largest].empty?

          lines("", "largest roots:", *stats[:largest].map { |key, size| format("%12s  %s", bytes(size), shown(key)) })
          lines("", "next: #{advice(path, stats)}")
        end

        def sound(path, count, format) = verdict("#{path} is sound: #{roots(count)}, #{kind(format)}")

        def damaged(path, problem)
          foreign = problem.start_with?("is not a store")
          verdict(foreign ? "#{path} #{problem}" : "#{path} is damaged: #{problem}")
          advice = "restore it from a backup, or keep a copy before anything else writes to it"
          lines("", "next: #{"if it was one, " if foreign}#{advice}")
        end

        def compacted(path, before, after) = verdict("#{path}: #{bytes(before)} → #{bytes(after)}")

        def converted(path, target, count, to)
          verdict("#{path} → #{target}: #{roots(count)}, #{kind(to)}")
          options = to.reject { |name, value| { engine: :file, serializer: :marshal }[name] == value }
          arguments = [target.inspect, *options.map { |name, value| "#{name}: #{value.inspect}" }]
          lines("", "next: Frugal::Store.new(#{arguments.join(", ")})")
        end

        private

        def verdict(text) = lines(Paint.bold(text, @io))

        def lines(*lines)
          @io.puts(lines)
          0
        end

        def roots(count) = "#{Frugal::Readable.count(count)} #{count == 1 ? "root" : "roots"}"

        def kind(format) = "engine #{format[:engine]}, #{format[:serializer]}"

        def bytes(size)
          return "#{size} B" if size < 1000

          power = [Math.log(size, 1000).floor, 4].min
          format("%.1f %s", size / 1000.0**power, %w[B kB MB GB TB][power])
        end

        def shown(key)
          text = key.inspect
          text.size > 60 ? "#{text[0, 59]}…" : text
        end

        # In a large store, a transaction is cheaper with SQLite.
        def advice(path, stats)
          large = stats[:engine] == :file && (stats[:bytes] > 1_000_000 || stats[:roots] > 20_000)
          return "frugal store verify #{path}" unless large

          target = "#{path.delete_suffix(File.extname(path))}.sqlite"
          "frugal store convert #{path} #{target}, where a transaction only costs what it uses"
        end
      end
    end
  end
end
