# frozen_string_literal: true

require "fileutils"
require "rbconfig"
require "tmpdir"
require_relative "compare"

module Frugal
  # Builds the site of examples/document-tree in a folder of its own, and compares a
  # build that has nothing left to do, stock and under +frugal run+. The folder is
  # gone afterwards, whatever happens.
  #
  #   result = Frugal::Demo.new(pages: 2_000).run { |step| warn step }
  #   Frugal::Compare::Verdict.new(result).to_s
  #   # => "frugal makes it 3.1× faster (0.61 s → 0.20 s), …"
  class Demo
    EXAMPLE = File.expand_path("../../examples/document-tree", __dir__)
    PAGES = 12_000
    KILOBYTES = 8 # of disk for a page: its text and its HTML
    COMMAND = %w[rake].freeze
    PAIRS = 3
    private_constant :EXAMPLE, :COMMAND, :PAIRS

    # A step of the demo that failed.
    class Failed < Error; end

    # @return [Integer] pages of text
    attr_reader :pages

    # @param pages [Integer]
    def initialize(pages: PAGES)
      @pages = pages
    end

    # @return [Integer] megabytes of disk that it takes while it runs
    def megabytes = @pages * KILOBYTES / 1024

    # @param timed [#call, nil] is called with the result before anything is counted
    # @yieldparam step [String] what happens next
    # @return [Compare::Result]
    # @raise [Failed] where a step fails
    # @raise [SystemCallError] where the folder cannot be made
    def run(timed: nil, &progress)
      Dir.mktmpdir("frugal-demo-") do |folder|
        FileUtils.cp_r("#{EXAMPLE}/.", folder)
        Dir.chdir(folder) do
          step("making #{Compare::Units.count(@pages)} pages of text", progress, RbConfig.ruby, "generate.rb", @pages.to_s)
          step("building the site with Rake", progress, *Compare::Side.frugal(COMMAND).argv)
          Compare.new(COMMAND, pairs: PAIRS).run(timed: timed, &progress)
        end
      end
    end

    private

    def step(title, progress, *command)
      progress&.call(title)
      Dir.mktmpdir do |outputs|
        sample = Compare::Runner.new(outputs).run(command)
        next if sample.status.success?

        failure = Compare::Failure.of(sample)
        raise Failed, ["#{title} failed: #{failure.ending}", *failure.tail].join("\n")
      end
    end
  end
end
