# frozen_string_literal: true

module RakeFuzz
  # Code that changes the state of the process: constants, patches, threads, loaded
  # features. Such a case gets a process of its own.
  LEAKS = Regexp.new(<<~'PATTERN'.lines(chomp: true).join("|"), Regexp::NOENCODING)
    prepend
    ^class |\bclass (?:String|Array|Time|<<)|Class\.new
    class_eval
    extend
    alias
    Rake::Application
    [A-Z]{2,} =
    require
    Thread|Fiber|Enumerator|multitask|thread_pool
    GC\.
    \$again
    freeze
    def \(
  PATTERN

  # One random build: its initial tree, its Rakefile and the arguments of Rake.
  #
  # A statement is an array of fragments. A String is required. An Array of one String
  # is optional: the minimizer can leave it out, and the rest is still valid Ruby.
  #
  #   ["file 'a' => [", ["'b', "], ["'c', "], "] do |t|\n", ["  Fuzz.build(t)\n"], "end"]
  #
  # A tree entry is [kind, path, content or link target, tick]. A tick is a number of
  # seconds (Integer or Rational) after {Fuzz::EPOCH}; with nil the time is not set.
  Case = Struct.new(:tree, :statements, :argv, :features, keyword_init: true) do
    def rakefile
      statements.map { |statement| statement.flatten.join.b }.join("\n") << "\n"
    end

    # Ruby code that evaluates to this case: the format of the corpus.
    def to_source
      lines = ["RakeFuzz::Case.new("]
      lines << "  features: #{features.inspect}," << "  argv: #{argv.inspect}," << "  tree: ["
      lines.concat(tree.map { |entry| "    [#{entry.map { |field| literal(field) }.join(", ")}]," })
      lines << "  ]," << "  statements: ["
      lines.concat(statements.map { |statement| "    #{statement.inspect}," }) << "  ]" << ")"
      lines.join("\n") << "\n"
    end

    def isolated?
      threaded? || rakefile.match?(LEAKS) || argv.include?("-m") || tree.any? { |entry| entry[0] == "fifo" }
    end

    # Whether several threads run tasks, so that stock Rake guarantees no order.
    def threaded?
      text = rakefile
      argv.any? { |arg| arg.b.match?(/\A-(?:m|j\z|j[2-9])|multitask/) } ||
        text.match?(/multitask|MultiTask|Thread\.new|always_multitask/n)
    end

    private

    # Rational#inspect returns a division of integers, which is no Rational.
    def literal(field) = field.is_a?(Rational) ? "Rational(#{field.numerator}, #{field.denominator})" : field.inspect
  end
end
