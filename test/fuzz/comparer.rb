# frozen_string_literal: true

module RakeFuzz
  # Tells whether two outcomes are the same for a user.
  module Comparer
    FRAME = /^\s*(?:from )?\S*:\d+:in [`'].*(?:\n|\z)/n
    TODAY = /\b20(?:2[4-9]|3[0-8])-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?/n
    # Ruby's own list of threads, and the report of each thread, in any order.
    DEADLOCK = /(?:\A#<Thread:.*)?No live threads left\. Deadlock\?.*/mn
    # "ruby -w" says where the method was that user code replaces.
    REDEFINED = /^.*: warning: (?:method redefined; discarding old|previous definition of) .*\n/n
    # Ruby's own report of an error that nobody rescued, as in a forked child: what
    # stands between the user's lines is Rake's or ours, as under --trace.
    INNER = %r{^\tfrom \S*/lib/(?:rake|frugal)/.*\n}n
    ADDRESS = /0x\h{8,}/n

    module_function

    # Only what stock itself varies between two runs is taken out; frames only
    # under --trace, where they show each inner call.
    def normalize(outcome, kase)
      traced = kase.argv.any? { |arg| arg.b.match?(/\A(?:-t|--trace|--backtrace|--suppress)/) } || kase.rakefile.match?(/\.(?:back)?trace *=/n)
      outcome.to_h do |key, value|
        next [key, value] unless value.is_a?(String) || %i[journal error tasks].include?(key)

        [key, scrub(value, traced)]
      end
    end

    def scrub(value, traced)
      case value
      when Array then value.map { |item| scrub(item, traced) }
      when String
        text = value.b.gsub(TODAY, "TODAY").gsub(ADDRESS, "0xADDRESS").gsub(REDEFINED, "").gsub(INNER, "").sub(DEADLOCK, "Deadlock?")
        traced ? text.gsub(FRAME, "") : text
      else value
      end
    end

    # @return [Hash{Symbol=>Array}] what differs: both values by field
    def differences(stock, dropin)
      (stock.keys | dropin.keys).each_with_object({}) do |key, found|
        found[key] = [stock[key], dropin[key]] unless stock[key] == dropin[key]
      end
    end

    # Where threads race, stock promises no order: compared as multisets.
    def loosen(outcome)
      outcome.except(:order).merge(
        journal: outcome[:journal]&.sort, stdout: outcome[:stdout].lines.sort, stderr: outcome[:stderr].gsub(FRAME, "").lines.sort - ["\n"],
        tree: outcome[:tree].map { |path, type, content, time| [path, type, content&.sub(/ #\d+$/, ""), time && Numeric === time ? :fixed : time] }
      )
    end

    # A line or two for people.
    def explain(found)
      found.map { |key, (stock, dropin)| "#{key}:\n#{contrast(stock, dropin)}" }.join
    end

    def contrast(stock, dropin)
      one, two = [stock, dropin].map { |value| rows(value) }
      at = one.zip(two).index { |left, right| left != right } || one.size
      [["stock ", one], ["frugal", two]].map { |who, rows|
        shown = rows[[at - 1, 0].max, 6] || []
        shown = ["(nothing)"] if shown.empty?
        shown.map { |row| "  #{who} | #{row}\n" }.join
      }.join
    end

    def rows(value)
      case value
      when String then value.lines.map { |line| line.chomp.inspect.b }
      when Array then value.map { |item| item.inspect.b }
      else [value.inspect.b]
      end
    end
  end
end
