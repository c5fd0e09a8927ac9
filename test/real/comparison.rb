# frozen_string_literal: true

require_relative "../fuzz/fileutils/snapshot"
require_relative "normaliser"

module Real
  # What one run has left: how it ended, what it printed, and the folder that holds its tree.
  Trace = Struct.new(:name, :ending, :out, :err, :folder, :seconds, keyword_init: true) do
    # @return [Hash{String => Array}] path => type, mode, owner, time where it is old, links, and size with checksum;
    #   no links of a directory, as their number only counts the directories in it
    def rows
      @rows ||= FileutilsFuzz::Snapshot.of(folder).to_h do |path, *row|
        row[4] = nil if row.first == "directory"
        [path, row]
      end
    end

    def content(path) = File.binread(File.join(folder, path))
  end

  # One thing in which two runs differ.
  Difference = Struct.new(:what, :before, :after, keyword_init: true)

  # A run of frugal against the runs of stock before and after it.
  class Comparison
    # @param stock [Trace]
    # @param again [Trace] stock's second run
    # @param normaliser [Normaliser]
    def initialize(stock, again, normaliser)
      @stock = stock
      @again = again
      @normaliser = normaliser
    end

    # @return [Array<Difference>] in which stock differs from itself although all is normalised
    def unstable = differences(@again)

    # @param other [Trace]
    # @return [Array<Difference>]
    def differences(other)
      [ending(other), stream(:out, "standard output", other), stream(:err, "standard error", other), *tree(other)].compact
    end

    private

    def ending(other)
      Difference.new(what: "ending", before: @stock.ending, after: other.ending) if @stock.ending != other.ending
    end

    def stream(part, what, other)
      stock, their, = @normaliser.streams(@stock[part], other[part], @again[part])
      Difference.new(what: what, before: stock, after: their) if stock != their
    end

    # By path. Names that stock does not repeat are normalised on all sides.
    def tree(other)
      before = paths(@stock)
      after = paths(other)
      (before.keys | after.keys).sort.filter_map do |path|
        if !after[path] then Difference.new(what: "#{path}: not there under frugal", before: describe(@stock.rows[before[path]]), after: "")
        elsif !before[path] then Difference.new(what: "#{path}: only there under frugal", before: "", after: describe(other.rows[after[path]]))
        else file(path, before[path], after[path], other)
        end
      end
    end

    # @return [Hash{String => String}] comparable name => name
    def paths(trace)
      @unrepeated ||= (@stock.rows.keys - @again.rows.keys) + (@again.rows.keys - @stock.rows.keys)
      stable = @stock.rows.keys - @unrepeated
      trace.rows.keys.to_h { |path| [stable.include?(path) || @unrepeated.empty? ? path : @normaliser.path(path), path] }
    end

    def file(path, before, after, other)
      old = @stock.rows[before]
      new = other.rows[after]
      return if old == new
      return Difference.new(what: path, before: describe(old), after: describe(new)) if old[0..-2] != new[0..-2] || !old.last.is_a?(Array)

      contents(path, before, after, other)
    end

    # What stock calls the file in its second run may be another name.
    def contents(path, before, after, other)
      again = paths(@again)[path]
      unrepeated = again && @stock.rows[before] != @again.rows[again]
      return if unrepeated && @normaliser.varying?(path)

      stock, their, = @normaliser.declared(@stock.content(before), other.content(after), again ? @again.content(again) : "")
      Difference.new(what: path, before: stock, after: their) if stock != their
    end

    def describe(row) = "#{row[0]}, mode #{row[1]}, uid #{row[2]}, #{row[3]}, links #{row[4]}, #{row[5].inspect}\n"
  end
end
