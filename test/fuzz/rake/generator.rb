# frozen_string_literal: true

require_relative "draft"

module RakeFuzz
  # Generates a random build: a valid graph of files, and a few unusual features in
  # it. So most cases build something, or find it up to date.
  class Generator
    # How many features a case gets, by weight.
    FEATURES = { 0 => 2, 1 => 5, 2 => 5, 3 => 3, 5 => 1 }.freeze

    # name => [weight, block]; the files of grammar/ fill it.
    def self.features = @features ||= {}

    # Registers a feature: feature(:chdir, 2) { |draft| … }
    def self.feature(name, weight = 1, &block) = features[name] = [weight, block]

    def initialize(seed, number)
      @draft = Draft.new(Random.new(seed * 1_000_003 + number))
    end

    def call
      graph = Grammar::Graph.new(@draft)
      graph.plan
      chosen.each do |name|
        @draft.features << name
        self.class.features.fetch(name).last.call(@draft)
      end
      @draft.finish(graph.write)
    end

    private

    def chosen
      weights = self.class.features.transform_values(&:first)
      Array.new(@draft.weighted(FEATURES)) { @draft.weighted(weights) }.uniq
    end
  end
end

Dir[File.join(__dir__, "grammar", "*.rb")].each { |file| require file }
