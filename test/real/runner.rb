# frozen_string_literal: true

require "timeout"
require "tmpdir"
require_relative "../../lib/frugal/compare"
require_relative "store"
require_relative "comparison"

module Real
  # The result of a project. +verdict+ is :same, :different, :unstable (stock differs from
  # itself: the corpus must declare in what), :broken (stock or the runner fails) or :left_out.
  Result = Struct.new(:project, :verdict, :stock, :frugal, :drop_ins, :differences, :reason, keyword_init: true) do
    # @return [Float, nil]
    def speed_up = (stock / frugal if verdict == :same) # else the two did not do the same work
  end

  # Runs a project: stock, under `frugal run`, and stock again. A fourth run, under `frugal
  # run` with the counters of `frugal compare`, finds out which drop-ins are on. The counters
  # cannot be loaded into a run that is compared.
  class Runner
    LIMIT = 900 # seconds of one run

    # @param engine [String] "c" or "pure"
    # @yieldparam line [String]
    def initialize(engine: "c", drop_ins: true, keep: false, &progress)
      @engine = engine
      @drop_ins = drop_ins
      @keep = keep
      @progress = progress
    end

    # @param project [Project]
    # @return [Result]
    def run(project)
      @project = project
      @store = Store.new(project) { |line| @progress.call("#{project.name}: #{line}") }
      @store.provide
      compare
    rescue LeftOut => e
      result(:left_out, reason: e.message)
    rescue Broken => e
      result(:broken, reason: e.message)
    ensure
      @store.remove_runs unless @keep
    end

    private

    def compare
      stock = trace("stock")
      return broken(stock) if stock.ending != "exit status #{@project.status}"

      frugal = trace("frugal")
      again = trace("stock again")
      comparison = Comparison.new(stock, again, Normaliser.new(@project.substitutions, @project.varying))
      verdict, differences = verdict(comparison.unstable, comparison.differences(frugal))
      # The lower of stock's two times, so that the speed-up is not overstated.
      result(verdict, stock: [stock.seconds, again.seconds].min, frugal: frugal.seconds,
                      drop_ins: (drop_ins(frugal.ending) if @drop_ins), differences: differences)
    end

    def verdict(unstable, differences)
      return [:unstable, unstable] if unstable.any?

      [differences.any? ? :different : :same, differences]
    end

    def result(verdict, **more) = Result.new(project: @project, verdict: verdict, differences: [], **more)

    def broken(stock)
      output = (stock.out.lines + stock.err.lines).last(15).join
      expected = "exit status #{@project.status}"
      result(:broken, reason: "stock ended with #{stock.ending} (expected #{expected}):\n#{output}")
    end

    def trace(name)
      sample, out, err = sample(name, name == "frugal")
      folder = @store.keep(name.tr(" ", "-"))
      Trace.new(name: name, ending: sample.ending, out: out, err: err, folder: folder, seconds: sample.wall)
    end

    # @param ending [String] of the program with frugal
    # @return [Array<String>] the drop-ins that are on in at least one process
    def drop_ins(ending)
      counts = File.join(Store::ROOT, "#{Process.pid}.counts")
      sample, _, err = sample("which drop-ins are on", true, Frugal::Compare::Counts.environment(counts, @store.environment))
      raise Broken, "while counting, it ended with #{sample.ending}:\n#{err.lines.first(5).join}" if sample.ending != ending

      seen = Frugal::Compare::Counts.read(counts)&.dropins || []
      seen.select { |one| one[:state] == "on" }.map { |one| one[:name] }
    ensure
      FileUtils.rm_f(counts)
    end

    def sample(step, frugal, more = {})
      @progress.call("#{@project.name}: #{step}")
      @store.restore
      side = frugal ? Frugal::Compare::Side.frugal(@store.command) : Frugal::Compare::Side.stock(@store.command)
      environment = { **@store.environment, **(frugal ? { "FRUGAL_ENGINE" => @engine } : {}), **more }
      Dir.mktmpdir("frugal-real-") do |folder|
        sample = Dir.chdir(@store.tree) do
          limited(step) { Frugal::Compare::Runner.new(folder).run(located(side.argv), env: environment) }
        end
        [sample, File.binread(sample.stdout), File.binread(sample.stderr)]
      end
    rescue Frugal::CommandError => e
      raise Broken, e.message
    end

    # spawn searches a command in the parent's PATH, not in the child's.
    def located(argv)
      return argv if argv.first.include?("/")

      folder = @store.environment.fetch("PATH").split(":").find { |one| File.executable?("#{one}/#{argv.first}") }
      raise Broken, "no such command: #{argv.first}" unless folder

      ["#{folder}/#{argv.first}", *argv.drop(1)]
    end

    def limited(step, &block)
      Timeout.timeout(LIMIT, &block)
    rescue Timeout::Error
      raise Broken, "#{step}: not finished after #{LIMIT} s"
    end
  end
end
