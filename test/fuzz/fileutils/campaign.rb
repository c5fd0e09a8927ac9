# frozen_string_literal: true

require_relative "../folder"
require_relative "run"
require_relative "mutants"

module FileutilsFuzz
  # Runs many cases, most of them as the user nobody, since root can read and remove everything.
  class Campaign
    PARTS = %w[outcome stdout stderr $! descriptors tree].freeze

    # @return [Integer] cases that took too long to be compared
    attr_reader :late

    # @param ruby [JRuby, nil] the process that makes the calls; nil: this one
    def initialize(seed:, folder:, control: false, ruby: nil)
      @seed = seed
      @folder = folder
      @late = 0
      @control = control
      @ruby = ruby
    end

    # @param numbers [Enumerable<Integer>] of the cases
    # @return [String, nil] the first difference
    def run(numbers)
      Fuzz.folder("fileutils-fuzz-", @folder) do |home|
        File.chmod(0o755, home)
        ENV["HOME"] = "#{home}/nobody" # FileUtils expands "~" in some methods
        numbers.each do |number|
          run = Run.new(@seed, number, home, @ruby)
          found = @control ? run.difference(:stock, :stock) : run.difference
          found == :late ? @late += 1 : (return report(number, *found) if found)
        end
      end
      nil
    end

    private

    def report(number, call, stock, ours)
      parts = PARTS.each_with_index.filter_map do |part, index|
        one, two = stock[index], ours[index]
        next if one == two

        one, two = one - two, two - one if part == "tree"
        "#{part}:\n  stock #{one.inspect}\n  ours  #{two.inspect}"
      end
      ["case #{number} of seed #{@seed} differs", call, *parts].join("\n")
    end
  end
end
