# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "compare"
require_relative "compare/ruby_command"

module Frugal
  # Builds the site of examples/document-tree in a temporary folder, and then compares
  # a build in which nothing is out of date, stock and under `frugal run`. The folder is
  # always removed afterwards.
  #
  #   result = Frugal::Demo.new(pages: 2_000).run { |step| warn step }
  #   Frugal::Compare::Verdict.new(result).to_s
  #   # => "frugal makes it 3.1× faster (0.61 s → 0.20 s), …"
  class Demo
    EXAMPLE = File.expand_path("../../examples/document-tree", __dir__)
    PAGES = 12_000
    KILOBYTES = 8 # of disk per page, for its text and its HTML
    OUTPUTS = ".outputs" # the folder for the output of each step
    COMMAND = %w[rake].freeze
    PAIRS = 3
    private_constant :EXAMPLE, :OUTPUTS, :COMMAND, :PAIRS

    # A step of the demo that failed.
    class Failed < Error; end

    # @return [Integer] the number of pages
    attr_reader :pages

    # @param pages [Integer]
    def initialize(pages: PAGES)
      @pages = pages
    end

    # @return [Integer] megabytes of disk that the demo needs while it runs
    def megabytes = @pages * KILOBYTES / 1024

    # @param timed [#call, nil] called with the result after the timed runs, before the counting runs
    # @yieldparam step [String] the next step
    # @return [Compare::Result]
    # @raise [Failed] when a step fails
    # @raise [SystemCallError] when the folder cannot be created
    def run(timed: nil, &progress)
      folder = nil
      # The name is known before the folder exists: an interrupt may come right after that.
      Dir::Tmpname.create("frugal-demo-") { |path| Dir.mkdir(folder = path, 0o700) }
      FileUtils.cp_r("#{EXAMPLE}/.", folder)
      Dir.mkdir(outputs = File.join(folder, OUTPUTS))
      runner = Compare::Runner.new(outputs)
      Dir.chdir(folder) do
        step(runner, "generating #{Readable.count(@pages)} pages of text", progress,
             Compare::RubyCommand.path, "generate.rb", @pages.to_s)
        step(runner, "building the site with Rake", progress, *Compare::Side.frugal(COMMAND).argv)
        Compare.new(COMMAND, pairs: PAIRS).run(timed: timed, &progress)
      end
    ensure
      remove(folder) if folder
    end

    private

    def step(runner, title, progress, *command)
      progress&.call(title)
      sample = runner.run(command)
      return if sample.status.success?

      failure = Compare::Failure.of(sample)
      raise Failed, ["#{title} failed: #{failure.ending}", *failure.tail].join("\n")
    end

    # A second Ctrl-C does not stop the removal.
    def remove(folder)
      FileUtils.rm_rf(folder) if File.owned?(folder)
    rescue Interrupt
      retry
    end
  end
end
