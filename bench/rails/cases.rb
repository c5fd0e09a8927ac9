# frozen_string_literal: true

module Frugal
  module RailsBench
    # The applications, and the sides that are compared.
    module Cases
      Case = Struct.new(:name, :title, :controllers, :locales, :folders, :files)

      # `folders` below app/models have `files` each.
      ALL = [
        Case.new("fresh", "10 controllers and models", 10, 1, 0, 0),
        Case.new("large", "150 controllers and models, 40 locales", 150, 40, 0, 0),
        Case.new("huge", "10 controllers, 3,000 files in 600 folders", 10, 1, 600, 5)
      ].freeze
      NAMES = ALL.map(&:name).freeze
      SIDES = %w[stock frugal free].freeze
      QUICK = Case.new("", "", 2, 1, 2, 2)

      # @param one [Case]
      # @return [Case] tiny sizes
      def self.quick(one) = Case.new(one.name, one.title, *QUICK.to_a.drop(2))
    end
  end
end
