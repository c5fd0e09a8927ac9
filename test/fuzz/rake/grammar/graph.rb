# frozen_string_literal: true

module RakeFuzz
  module Grammar
    # The graph of each case: source files, targets in layers that depend on them, with
    # shared prerequisites, and an initial state: clean, up to date, or up to date except
    # for a few files.
    class Graph
      Node = Struct.new(:kind, :name, :prerequisites, :order_only, :args, :level, :tick)

      STATES = { fresh: 3, dirty: 6, holes: 4, clean: 3, random: 3, equal: 1, nanoseconds: 1 }.freeze
      KINDS = { "file" => 40, "file_create" => 2, "task" => 2, "multitask" => 1 }.freeze
      BODIES = { build: 30, looks: 3, act: 2, none: 3, twice: 1, real: 1 }.freeze

      def initialize(draft)
        @draft = draft
        @nodes = []
      end

      # Chooses names, edges and times, so that features can refer to them.
      def plan
        @state = @draft.weighted(STATES)
        @files_only = @draft.chance?(0.6) # the kind of build that must be fast
        leaves
        @draft.chance?(0.15) ? chain : layers
        tops
      end

      # @return [Array] the statements, with the lines that the features have added
      def write
        @nodes.each { |node| add_file(node) unless skipped?(node) }
        change_times
        statements = @nodes.map { |node| statement(node) }
        statements.map! { |fragments| @draft.chance?(0.5) ? scoped(fragments) : fragments } if @draft.chance?(0.1)
        statements.shuffle!(random: @draft.random) if @draft.chance?(0.4)
        statements << @draft.definition(@top_kind, "default", @draft.tops,
          body: (["Fuzz.act(t, args)"] if @draft.chance?(0.5)))
      end

      private

      def leaves
        folder = @draft.chance?(0.3) ? "src/" : ""
        @draft.tree_dir("src") unless folder.empty?
        (2 + @draft.number(6)).times { |number| @draft.source(Names.source(@draft, folder, number), leaf_tick(number)) }
      end

      def layers
        folder = @draft.chance?(0.2) ? "out/" : ""
        @draft.tree_dir("out") unless folder.empty?
        below = @draft.sources.dup
        (1..1 + @draft.number(4)).each do |level|
          below += Array.new(1 + @draft.number(5)) do |number|
            node(level, Names.target(@draft, folder, level, number),
                      below)
          end
        end
      end

      def chain
        (1..3 + @draft.number(20)).inject([@draft.pick(@draft.sources)]) do |below, level|
          [node(level, "c#{level}", below)]
        end
      end

      def node(level, name, below)
        kind = @files_only ? "file" : @draft.weighted(KINDS)
        prerequisites = @draft.some(below.last(12), 1..5)
        chance = @files_only ? 0.03 : 0.12
        order_only = @draft.chance?(chance) ? @draft.some(below, 1..2) : []
        args = kind == "task" && @draft.chance?(0.5) ? [:a, :b] : []
        @nodes << Node.new(kind, name, prerequisites, order_only, args, level, tick(level))
        (kind == "task" || kind == "multitask" ? @draft.tasks : @draft.targets) << name
        name
      end

      def tops
        used = @nodes.flat_map(&:prerequisites)
        @draft.tops.concat(@nodes.map(&:name) - used)
        @top_kind = !@files_only && @draft.chance?(0.1) ? "multitask" : "task"
      end

      def tick(level)
        case @state
        when :equal then 100
        when :nanoseconds then 100 + Rational(level, 1_000_000_000)
        when :random then @draft.number(0..60)
        else 100 + level * 10
        end
      end

      def leaf_tick(number)
        case @state
        when :random then @draft.number(0..60)
        when :fresh, :dirty, :holes, :clean then number
        else 100
        end
      end

      def skipped?(node)
        return true if %w[task multitask].include?(node.kind) && !@draft.chance?(0.02)

        @state == :clean || (@state == :holes && @draft.chance?(0.25)) || (@state == :random && @draft.chance?(0.15))
      end

      def add_file(node) = @draft.tree_file(node.name, node.tick)

      # Makes a few files newer than their dependents, by different steps, or older than
      # their prerequisites.
      def change_times
        make_equal_times if @draft.chance?(0.4)
        return unless %i[dirty equal nanoseconds].include?(@state)

        @draft.some(timed, 1..3).each do |entry|
          step = @draft.pick([entry[3].to_i + 11, 1000, 1000 + @draft.number(50), Fuzz::FUTURE,
            entry[3] + Rational(1, 1_000_000_000)])
          entry[3] = @draft.chance?(0.4) && @draft.targets.include?(entry[1]) ? -1 - @draft.number(9) : step
        end
      end

      # Gives a few targets the time of their newest prerequisite.
      def make_equal_times
        ticks = timed.to_h { |entry| [entry[1], entry[3]] }
        @draft.some(@nodes, 1..3).each do |node|
          newest = node.prerequisites.filter_map { |name| ticks[name] }.max
          timed.each { |entry| entry[3] = newest if entry[1] == node.name && newest }
        end
      end

      def timed = @draft.tree.select { |kind, _, _, tick| kind == "file" && tick }

      def statement(node)
        @draft.definition(node.kind, node.name, node.prerequisites, order_only: node.order_only, args: node.args,
                                                                    body: body(node))
      end

      # Puts a file task into a namespace: it keeps its name, but finds its prerequisites from inside.
      def scoped(fragments)
        return fragments unless fragments.join.start_with?("file")

        [@draft.pick(["namespace(:a) { ", "namespace(:b) { ", "namespace('a:c') { "]), *fragments, " }"]
      end

      def body(node)
        extra = @draft.lines[node.name]
        no_file = %w[task multitask].include?(node.kind)
        usual = case @draft.weighted(BODIES)
                when :none then return extra.empty? ? nil : extra
                when :act then ["Fuzz.act(t, args)"]
                when :looks then ["Fuzz.build(t, args)", "Fuzz.look(t)"]
                when :twice then ["Fuzz.build(t, args)", "Fuzz.build(t, args)"]
                when :real then ["Fuzz.act(t, args)", "Fuzz.now(t.name)"]
                else ["Fuzz.build(t, args)"]
                end
        usual = ["Fuzz.act(t, args)"] if no_file
        @draft.chance?(0.5) ? usual + extra : extra + usual
      end
    end
  end
end
