# frozen_string_literal: true

module RakeFuzz
  # One random build: the tree it starts from, the Rakefile, the arguments.
  #
  # A statement is an array of fragments: a String is fixed, a one-element Array
  # is optional, so that the minimizer can leave it out and still have Ruby:
  #
  #   ["file 'a' => [", ["'b', "], ["'c', "], "] do |t|\n", ["  Fuzz.build(t)\n"], "end"]
  #
  # A tree entry is [kind, path, content or link target, tick]; ticks are
  # seconds (Integer or Rational) after {Fuzz::EPOCH}, nil leaves the time alone.
  Case = Struct.new(:tree, :statements, :argv, :features, keyword_init: true) do
    def rakefile
      statements.map { |statement| statement.flatten.join.b }.join("\n") << "\n"
    end

    # Ruby that evaluates to this case: the format of the corpus.
    def to_source
      lines = ["RakeFuzz::Case.new("]
      lines << "  features: #{features.inspect}," << "  argv: #{argv.inspect}," << "  tree: ["
      lines.concat(tree.map { |entry| "    [#{entry.map { |field| literal(field) }.join(", ")}]," }) << "  ]," << "  statements: ["
      lines.concat(statements.map { |statement| "    #{statement.inspect}," }) << "  ]" << ")"
      lines.join("\n") << "\n"
    end

    # What a case leaves behind in the process: constants, patches, threads,
    # loaded features. Such a case gets a process of its own.
    LEAKS = /prepend|^class |\bclass (?:String|Array|Time|<<)|Class\.new|class_eval|extend|alias|Rake::Application|[A-Z]{2,} =|require|Thread|Fiber|Enumerator|GC\.|multitask|thread_pool|\$again|freeze|def \(/n

    def isolated? = threaded? || rakefile.match?(LEAKS) || argv.include?("-m") || tree.any? { |entry| entry[0] == "fifo" }

    def threaded?
      text = rakefile
      argv.any? { |arg| arg.b.match?(/\A-(?:m|j\z|j[2-9])|multitask/) } ||
        text.match?(/multitask|MultiTask|Thread\.new|always_multitask/n)
    end

    private

    # What Rational#inspect writes is a division, of integers.
    def literal(field) = field.is_a?(Rational) ? "Rational(#{field.numerator}, #{field.denominator})" : field.inspect
  end
end
