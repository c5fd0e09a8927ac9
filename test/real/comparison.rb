# frozen_string_literal: true

require_relative "../fuzz/fileutils/snapshot"
require_relative "normaliser"

module Real
  # The result of one run: how it ended, its output, and the folder with its tree.
  Trace = Struct.new(:name, :ending, :out, :err, :folder, :seconds, keyword_init: true) do
    # @return [Hash{String => Array}] path => type, mode, owner, time if it is old, links, and size with checksum;
    #   no links of a directory, since their number only counts the directories in it
    def rows
      @rows ||= FileutilsFuzz::Snapshot.of(folder).to_h do |path, *row|
        row[4] = nil if row.first == "directory"
        [path, row]
      end
    end

    def content(path) = File.binread(File.join(folder, path))
  end

  # One difference between two runs.
  Difference = Struct.new(:what, :before, :after, keyword_init: true)

  # Compares a run under frugal to the runs of stock before and after it.
  class Comparison
    # @param stock [Trace]
    # @param again [Trace] stock's second run
    # @param normaliser [Normaliser]
    def initialize(stock, again, normaliser)
      @stock = stock
      @again = again
      @normaliser = normaliser
    end

    # @return [Array<Difference>] between the two runs of stock, after normalisation
    def unstable = differences(@again)

    # @param other [Trace]
    # @return [Array<Difference>]
    def differences(other)
      streams = { out: "standard output", err: "standard error" }.map { |part, what| stream(part, what, other) }
      [ending(other), *streams, *tree(other)].compact
    end

    private

    def ending(other)
      Difference.new(what: "ending", before: @stock.ending, after: other.ending) if @stock.ending != other.ending
    end

    def stream(part, what, other)
      stock, theirs, = @normaliser.streams(@stock[part], other[part], @again[part])
      Difference.new(what: what, before: stock, after: theirs) if stock != theirs
    end

    # Compares by path. Names that differ between the runs of stock are normalised on all sides.
    def tree(other)
      before = paths(@stock)
      after = paths(other)
      (before.keys | after.keys).sort.filter_map do |path|
        old = before[path]
        new = after[path]
        if old && new then file(path, old, new, other)
        elsif old then missing("missing in the other", path, describe(@stock.rows[old]), "")
        else missing("only in the other", path, "", describe(other.rows[new]))
        end
      end
    end

    def missing(where, path, before, after) = Difference.new(what: "#{path}: #{where}", before: before, after: after)

    # @return [Hash{String => String}] normalised name => name
    def paths(trace)
      @unstable_names ||= (@stock.rows.keys - @again.rows.keys) + (@again.rows.keys - @stock.rows.keys)
      @stable_names ||= (@stock.rows.keys - @unstable_names).to_h { |path| [path, true] }
      trace.rows.keys.to_h do |path|
        [@unstable_names.empty? || @stable_names[path] ? path : @normaliser.path(path), path]
      end
    end

    def file(path, before, after, other)
      old = @stock.rows[before]
      new = other.rows[after]
      return if old == new

      same_but_for_bytes = old[0..-2] == new[0..-2] && old.last.is_a?(Array)
      return contents(path, before, after, other) if same_but_for_bytes

      Difference.new(what: path, before: describe(old), after: describe(new))
    end

    # The file may have another name in stock's second run.
    def contents(path, before, after, other)
      return if @normaliser.varying?(path, unstable_contents)

      again = (@again_paths ||= paths(@again))[path]
      again_content = again ? @again.content(again) : ""
      stock, theirs, = @normaliser.declared(@stock.content(before), other.content(after), again_content)
      Difference.new(what: path, before: stock, after: theirs) if stock != theirs
    end

    # @return [Array<String>] paths of files whose bytes differ between the two runs of stock
    def unstable_contents
      @unstable_contents ||= begin
        again = paths(@again)
        paths(@stock).filter_map { |path, name| path if again[path] && @stock.rows[name] != @again.rows[again[path]] }
      end
    end

    def describe(row) = "#{row[0]}, mode #{row[1]}, uid #{row[2]}, #{row[3]}, links #{row[4]}, #{row[5].inspect}\n"
  end
end
