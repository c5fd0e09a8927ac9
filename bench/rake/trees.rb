# frozen_string_literal: true

require_relative "tree"

module Frugal
  module RakeBench
    # An empty Rakefile, to measure the cost of Ruby and Rake alone.
    class EmptyTree < Tree
      def rakefile = "task :default\n"
    end

    # Outputs with one source each.
    class IndependentTree < Tree
      attr_reader :sources, :edges

      def initialize(folder, count)
        super(folder)
        names = Array.new(count) { |i| format("f%05d", i) }
        @sources = names.map { |name| "src/#{name}.c" }
        @edges = names.to_h { |name| ["out/#{name}.o", ["src/#{name}.c"]] }
      end

      def rakefile
        <<~RUBY
          sources = FileList["src/*.c"]
          objects = sources.pathmap("%{^src,out}X.o")
          sources.zip(objects) do |source, object|
            file(object => source) { |task| File.write(task.name, "") }
          end
          task default: objects
        RUBY
      end

      def makefile
        <<~MAKE
          OBJECTS := $(patsubst src/%.c,out/%.o,$(wildcard src/*.c))
          all: $(OBJECTS)
          $(OBJECTS): out/%.o: src/%.c
          \t$(file >$@)
          .PHONY: all
        MAKE
      end
    end

    # Layers of equal width. Each file has three prerequisites in the layer below.
    class LayeredTree < Tree
      STEPS = [0, 7, 19].freeze
      attr_reader :sources, :edges, :goals

      def initialize(folder, layers, width)
        super(folder)
        @layers = layers
        @width = width
        @sources = layer(0)
        @goals = layer(layers - 1)
        @edges = (1...layers).flat_map do |number|
          layer(number).each_with_index.map { |name, i| [name, below(number, i)] }
        end.to_h
      end

      def rakefile
        <<~RUBY
          name = ->(layer, i) { "\#{layer.zero? ? "src" : "out"}/l\#{layer}_\#{i % #{@width}}" }
          (1...#{@layers}).each do |layer|
            #{@width}.times do |i|
              prerequisites = #{STEPS}.map { |step| name[layer - 1, i + step] }
              file(name[layer, i] => prerequisites) { |task| File.write(task.name, "") }
            end
          end
          task default: Array.new(#{@width}) { |i| name[#{@layers - 1}, i] }
        RUBY
      end

      private

      def layer(number) = Array.new(@width) { |i| "#{number.zero? ? "src" : "out"}/l#{number}_#{i}" }

      def below(number, index) = STEPS.map { |step| layer(number - 1)[(index + step) % @width] }
    end

    # A chain: each file has the previous one as its prerequisite.
    class ChainTree < Tree
      attr_reader :edges

      def initialize(folder, length)
        super(folder)
        @length = length
        @edges = (1..length).to_h { |i| ["out/f#{i}", [i == 1 ? "src/f0" : "out/f#{i - 1}"]] }
      end

      def sources = ["src/f0"]

      def goals = ["out/f#{@length}"]

      def rakefile
        <<~RUBY
          file("out/f1" => "src/f0") { |task| File.write(task.name, "") }
          (2..#{@length}).each do |i|
            file("out/f\#{i}" => "out/f\#{i - 1}") { |task| File.write(task.name, "") }
          end
          task default: "out/f#{@length}"
        RUBY
      end
    end
  end
end
