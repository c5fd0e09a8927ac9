# frozen_string_literal: true

require_relative "case"
require_relative "journal"

module RakeFuzz
  # A case that is being generated, and the random choices for it.
  class Draft
    # Ruby code in place of a name: a prerequisite that is not a String.
    Code = Struct.new(:text)

    attr_reader :random, :tree, :statements, :argv, :features, :sources, :targets, :tasks, :lines, :tops

    def initialize(random)
      @random = random
      @tree, @statements, @argv, @features = [], [], [], []
      @early = []
      @sources, @targets, @tasks, @tops = [], [], [], []
      # More lines for the action of each target.
      @lines = Hash.new { |hash, name| hash[name] = [] }
    end

    # -- random choices

    def chance?(probability) = @random.rand < probability
    def pick(list) = list[@random.rand(list.size)]
    def some(list, range) = list.sample(@random.rand(range), random: @random)
    def number(range) = @random.rand(range)

    # Picks a key by its weight: weighted(task: 1, file: 8).
    def weighted(table)
      at = @random.rand * table.values.sum
      table.each { |value, weight| return value if (at -= weight) < 0 }
      table.keys.last
    end

    # -- names of this case

    # A target is likely near the top of the graph, and a file likely near its sources, so
    # that an edge from the first to the second rarely makes a circle.
    def target = @targets.empty? ? "nowhere" : @targets[indexes(2).max]
    def file = @targets.empty? || chance?(0.55) ? pick(@sources) : @targets[indexes(3).min]
    def task = @tasks.empty? ? "default" : pick(@tasks)
    def name = chance?(0.8) ? file : task

    # -- the tree

    def source(path, tick, content = nil)
      @sources << path
      tree_file(path, tick, content)
    end

    def tree_file(path, tick, content = nil) = @tree << ["file", path, content, tick]
    def tree_dir(path, tick = 0) = @tree << ["dir", path, nil, tick]
    def tree_link(path, to) = @tree << ["link", path, to, nil]

    # -- the Rakefile

    def add(*fragments) = @statements << fragments
    def add_first(*fragments) = @early << fragments

    # define("file", "a.o", ["a.c"], body: ["Fuzz.build(t, args)"])
    def define(kind, name, prerequisites = [], **rest)
      add(*definition(kind, name, prerequisites, **rest))
    end

    # The fragments of a definition. The minimizer can leave out prerequisites and lines.
    def definition(kind, name, prerequisites = [], order_only: [], args: [], body: nil, desc: nil)
      fragments = []
      fragments << ["desc #{desc.inspect}\n"] if desc
      fragments << "#{kind}(#{literal(name)}"
      fragments << ", #{args.inspect}" unless args.empty?
      fragments.push(" => ", *list(prerequisites)) unless prerequisites.empty?
      fragments << [", order_only: [#{order_only.map { |one| literal(one) }.join(", ")}]"] unless order_only.empty?
      fragments << ")"
      fragments.concat(body ? block("t, args", body) : [])
    end

    # The same as text, for use inside another statement.
    def text(*definition, **rest) = definition(*definition, **rest).flatten.join

    def list(names) = ["[", *names.map { |name| ["#{literal(name)}, "] }, "]"]
    def block(parameters, lines) = [" do |#{parameters}|\n", *lines.map { |line| ["  #{line}\n"] }, "end"]
    def code(text) = Code.new(text)
    def literal(name) = name.is_a?(Code) ? name.text : name.inspect

    # The features refer to the tasks of the graph, so they mostly come after it.
    def finish(graph)
      statements = @early + (chance?(0.85) ? graph + @statements : @statements + graph)
      Case.new(tree: @tree, statements: statements, argv: @argv, features: @features.map(&:to_s))
    end

    private

    def indexes(count) = Array.new(count) { number(@targets.size) }
  end
end
