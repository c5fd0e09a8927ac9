# frozen_string_literal: true

require_relative "asking"
require_relative "cold"
require_relative "counting"
require_relative "jruby_asking"
require_relative "requiring"
require_relative "results"
require_relative "tree"
require_relative "../support/run"

module Frugal
  module ProbesBench
    # Generates a tree and measures the idioms under this Ruby, and under JRuby where it is installed.
    class Benchmark < Bench::Run
      COUNTED = { false => 100, true => 10 }.freeze # questions of each kind in the counting run, by quick
      WARM_UPS = RUBY_ENGINE == "jruby" ? 10 : 1 # JRuby and the JVM compile what has been called often
      # Under JRuby an exception takes up to 300 µs, so fewer paths are asked for, in fewer rounds.
      JRUBY_PATHS = 500
      JRUBY_ROUNDS = 11
      JRUBY_STARTS = 7
      JRUBY_WARM_UPS = { false => 20, true => 1 }.freeze # by quick

      private

      # The size of the tree is known, and the results are made, once the folder is there.
      def new_results = nil

      def measure_all
        prepare
        @results.costs = count(RbConfig.ruby)
        measure(@results, @asking, WARM_UPS, @options[:rounds])
        @options[:cold_rounds].times { |round| cells.each { |cell| cold(round, *cell) if @cold.possible?(*cell) } }
        jruby unless RUBY_ENGINE == "jruby"
      end

      def cells = QUESTIONS.keys.product(PRESENCE)

      def prepare
        @tree = Tree.new(File.join(@folder, "tree"), quick: quick?)
        version = "jruby #{JRUBY_VERSION}" if RUBY_ENGINE == "jruby"
        @results = Results.new(@tree.size, quick: quick?, jruby: version)
        # With --quick, the caches of the machine are dropped only on request.
        @cold = Cold.new(@options[:cold] || ("files" if quick?), @tree, @machine[:file_system])
        @notes << @cold.note
        @progress.call("generating #{@tree.size} directories in #{@tree.folder}")
        @tree.write
        @cold.write_back
        @paths = cells.to_h { |cell| [cell, @tree.paths(*cell)] }
        @asking = Asking.new(@paths)
      end

      # @param ruby [String] the command that is counted
      # @return [Hash{Array(Symbol, Symbol, String) => Bench::Cost}]
      def count(ruby)
        @progress.call("counting system calls and exceptions of #{ruby}")
        counting = Counting.new(@tree, @folder, COUNTED.fetch(quick?), ruby)
        @notes |= ["system calls were not counted: #{counting.reason}"] if counting.reason
        counting.costs
      end

      def measure(results, asking, warm_ups, rounds)
        warm_cells = cells.product(Results::DEPTHS).map(&:flatten)
        warm_ups.times { warm_cells.each { |cell| results.idioms.each { |label| asking.time(*cell, label) } } }
        rounds.times do |round|
          warm_cells.each do |question, presence, depth|
            @progress.call("#{[*results.jruby, question, presence].join(", ")}, #{depth} frames deep, " \
                           "round #{round + 1} of #{rounds}")
            rotate(results.idioms, round).each do |label|
              results.series(question, presence, depth, label)[round] = asking.time(question, presence, depth, label)
            end
          end
        end
      end

      def cold(round, question, presence)
        rotate(@results.idioms, round).each do |label|
          @progress.call("#{question}, #{presence}, cold, round #{round + 1} of #{@options[:cold_rounds]}, #{label}")
          @cold.drop_caches
          @results.series(question, presence, :cold, label)[round] = @asking.time(question, presence, 0, label)
        end
      end

      def jruby
        version = Bench::JRuby.version or return @notes << Bench::JRuby::ABSENT
        paths = @paths.transform_values { |names| names.first(JRUBY_PATHS) }
        asking = JRubyAsking.new(paths, @folder)
        others = Results.new(paths.values.first.size, quick: quick?, idioms: JRubyAsking::LABELS, jruby: version)
        measure(others, asking, JRUBY_WARM_UPS.fetch(quick?), [@options[:rounds], JRUBY_ROUNDS].min)
        others.costs = count(Bench::JRuby::COMMAND)
        others.require_time = Requiring.milliseconds(@folder, quick? ? 1 : JRUBY_STARTS)
        @results.others = others
        @notes << "#{version}: engine #{asking.engine}"
      ensure
        asking&.stop
      end
    end
  end
end
