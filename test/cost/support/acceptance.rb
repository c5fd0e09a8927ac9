# frozen_string_literal: true

require_relative "figures"

module CostBudget
  # Measures groups with frugal and with stock, two groups at a time, and writes new figures.
  class Acceptance
    # @param names [Array<String>, nil] groups; nil for all
    def initialize(names)
      groups = Groups.all
      unknown = names.to_a - groups.map(&:name)
      abort "no such group: #{unknown.join(", ")}; there is #{groups.map(&:name).join(", ")}" unless unknown.empty?

      @groups = names ? groups.select { |group| names.include?(group.name) } : groups
      @figures = Figures.new
      @lock = Mutex.new
    end

    # Prints the lines that are new. A group that cannot be measured here keeps its figures.
    def call
      missing = Measuring.missing and abort "nothing can be measured: #{missing}"
      absent, present = @groups.partition(&:missing)
      absent.each { |group| puts "#{group.name} is not measured: #{group.missing}" }
      queue = present.each_with_object(Queue.new) { |group, waiting| waiting << group }.close
      Array.new(2) { Thread.new { while (group = queue.pop) do accept(group) end } }.each(&:join)
    end

    private

    def accept(group)
      measured = Measuring.new(group).call
      stock = group.stock? ? Measuring.new(group, frugal: false).call : {}
      @lock.synchronize do
        lines = @figures.accept(group, measured, stock)
        puts "[#{group.name}]", lines if lines.any?
        @figures.write
      end
    end
  end
end
