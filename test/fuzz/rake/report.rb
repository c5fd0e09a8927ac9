# frozen_string_literal: true

require "fileutils"
require_relative "comparer"

module RakeFuzz
  # Prints the result of a campaign: each difference with its case, then the counts.
  class Report
    def initialize(options)
      @options = options
    end

    def print(result)
      result.differences.each { |difference| show(difference) }
      puts result.census
      puts format("%d cases in %.1f s, %.0f a second; %s", result.cases, result.seconds,
                  result.cases / result.seconds, verdicts(result.census.verdicts))
    end

    private

    WORDS = { same: "%d the same", unstable: "%d race, as in stock", undecided: "%d undecided, since they race",
              exhausted: "%d exhaust stock's stack", differs: "%d differ" }.freeze
    private_constant :WORDS

    def verdicts(counts) = WORDS.map { |verdict, words| format(words, counts[verdict]) }.join(", ")

    def show(difference)
      text = <<~TEXT
        == case #{difference.number} differs
        #{command(difference.number)}
        -- argv: #{difference.minimal.argv.inspect}
        -- tree:
        #{printable(difference.minimal.tree.map { |entry| entry.inspect.b }.join("\n"))}
        -- Rakefile:
        #{printable(difference.minimal.rakefile)}
        -- outcomes:
        #{printable(Comparer.explain(difference.judgement.found))}
      TEXT
      puts text
      keep(difference, text) if @options[:keep]
    end

    def printable(text) = text.dup.force_encoding(Encoding::UTF_8).scrub

    def command(number)
      words = ["ruby test/fuzz/rake_fuzz.rb --seed #{@options[:seed]} --only-case #{number}"]
      %i[engine rake mutant].each { |name| words << "--#{name} #{@options[name]}" if @options[name] }
      words.join(" ")
    end

    def keep(difference, text)
      FileUtils.mkdir_p(@options[:keep])
      base = File.join(@options[:keep], "#{@options[:seed]}-#{difference.number}")
      File.write("#{base}.txt", text)
      File.write("#{base}.rb", difference.minimal.to_source)
    end
  end
end
