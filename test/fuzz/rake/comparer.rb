# frozen_string_literal: true

module RakeFuzz
  # Compares two outcomes by what a user can see.
  module Comparer
    FRAME = /^\s*(?:from )?(?:<internal:)?[^\n:]*:\d+:in [`'].*(?:\n|\z)/n
    TODAY = /\b20(?:2[4-9]|3[0-8])-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?/n
    # Ruby's own list of threads, and the report of each thread, in any order.
    DEADLOCK = /(?:\A#<Thread:.*)?No live threads left\. Deadlock\?.*/mn
    # "ruby -w" names the place of the method that user code redefines.
    REDEFINED = /^.*: warning: (?:method redefined; discarding old|previous definition of) .*\n/n
    # Frames of Rake and frugal in Ruby's own report of an error that nothing rescued, as in a
    # forked child. They differ, as they do with --trace.
    INNER = %r{^\tfrom [^\n:]*/lib/(?:rake|frugal)/.*\n}n
    ADDRESS = /0x\h{5,}/n # JRuby's are shorter
    # DidYouMean's list, in which names as far from the wrong one have the order of Rake's table of tasks.
    SUGGESTIONS = /(?<=Did you mean\?).*/mn
    # Options and settings that make Rake print each inner frame.
    TRACE_OPTION = /\A(?:-t|--trace|--backtrace|--suppress)/
    TRACE_SETTING = /\.(?:back)?trace *=/n

    module_function

    # Removes only what differs between two runs of stock. Frames are removed only from
    # a trace, which shows each inner call.
    def normalize(outcome, kase)
      traced = kase.argv.any? { |arg| arg.b.match?(TRACE_OPTION) } || kase.rakefile.match?(TRACE_SETTING)
      outcome.to_h do |key, value|
        next [key, value] unless value.is_a?(String) || %i[journal error tasks].include?(key)

        [key, scrub(value, traced)]
      end
    end

    def scrub(value, traced)
      case value
      when Array then value.map { |item| scrub(item, traced) }
      when String
        text = value.b.gsub(TODAY, "TODAY").gsub(ADDRESS, "0xADDRESS")
        text = text.gsub(REDEFINED, "").gsub(INNER, "").sub(DEADLOCK, "Deadlock?")
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

    # Where threads race, stock guarantees no order, so the order is removed.
    def loosen(outcome)
      outcome.except(:order).merge(
        journal: outcome[:journal]&.sort, stdout: outcome[:stdout].lines.sort,
        stderr: unordered(outcome[:stderr].gsub(FRAME, "")).lines.sort - ["\n"],
        error: unordered(outcome[:error]), tasks: unordered(outcome[:tasks]),
        tree: outcome[:tree].map { |path, type, content, time| [path, type, unnumbered(content), fixed(time)] }
      )
    end

    def unordered(value)
      case value
      when Array then value.map { |item| unordered(item) }
      when String then value.sub(SUGGESTIONS) { |names| names.split.sort.join("\n") }
      else value
      end
    end

    # The content of a file without the number of the action that wrote it.
    def unnumbered(content) = content&.sub(/ #\d+$/, "")

    def fixed(time) = time.is_a?(Numeric) ? :fixed : time

    # A line or two for people.
    def explain(found)
      found.map { |key, (stock, dropin)| "#{key}:\n#{contrast(stock, dropin)}" }.join
    end

    def contrast(stock, dropin)
      one, two = [stock, dropin].map { |value| rows(value) }
      at = one.zip(two).index { |left, right| left != right } || one.size
      [["stock ", one], ["frugal", two]].map do |who, rows|
        shown = rows[[at - 1, 0].max, 6] || []
        shown = ["(nothing)"] if shown.empty?
        shown.map { |row| "  #{who} | #{row}\n" }.join
      end.join
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
