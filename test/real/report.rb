# frozen_string_literal: true

require "open3"
require "tempfile"
require_relative "../../lib/frugal/cli/paint"

module Real
  # Prints the results: each difference, a table, and a closing line.
  class Report
    LINES = 40 # of one diff
    FILES = 8 # of one project
    WORDS = { same: "same", different: "DIFFERENT", unstable: "UNSTABLE", broken: "BROKEN",
              left_out: "skipped" }.freeze
    EXPLAINED = { different: "frugal's run (the other) differs from stock's", broken: "does not run here",
                  left_out: "skipped",
                  unstable: "stock differs from itself: it needs a seed, a `normalise` or a `bytes_vary_in`" }.freeze

    def initialize(results, engine)
      @results = results
      @engine = engine
    end

    # @return [Integer] the exit status
    def print
      @results.each { |result| explain(result) }
      table
      puts
      puts Frugal::CLI::Paint.bold(closing)
      status
    end

    private

    def count(verdict) = @results.count { |result| result.verdict == verdict }

    def status
      return 1 if count(:different).positive?

      (count(:unstable) + count(:broken)).positive? || count(:same).zero? ? 2 : 0
    end

    def explain(result)
      return if result.verdict == :same

      puts "== #{result.project.name}: #{EXPLAINED.fetch(result.verdict)}", result.reason&.gsub(/^/, "   ")
      result.differences.first(FILES).each { |difference| puts diff(difference).gsub(/^/, "   ") }
      puts "   and #{result.differences.size - FILES} more" if result.differences.size > FILES
      puts
    end

    # Uses the diff command, if it is installed.
    def diff(difference)
      Tempfile.create("before") do |before|
        Tempfile.create("after") do |after|
          File.binwrite(before.path, difference.before)
          File.binwrite(after.path, difference.after)
          labels = %w[--label stock --label other]
          output, = Open3.capture2("diff", "-u", *labels, before.path, after.path, binmode: true)
          lines = output.force_encoding(Encoding::UTF_8).scrub("?").lines
          lines = [*lines.first(LINES), "… #{lines.size - LINES} more lines\n"] if lines.size > LINES
          return "#{difference.what}\n#{lines.join}"
        end
      end
    rescue Errno::ENOENT
      "#{difference.what}\n- #{difference.before[0, 400]}\n+ #{difference.after[0, 400]}\n"
    end

    def table
      rows = [["project", "version", "verdict", "stock", "frugal", "speed-up", "drop-ins on"], *@results.map { |result| row(result) }]
      widths = rows.transpose.map { |column| column.map(&:size).max }
      rows.each do |row|
        left = row.first(3).zip(widths).map { |cell, width| cell.ljust(width) }
        right = row[3..5].zip(widths[3..5]).map { |cell, width| cell.rjust(width) }
        puts [*left, *right, row.last].join("  ").rstrip
      end
    end

    def row(result)
      times = [result.stock, result.frugal].map { |seconds| seconds ? format("%.2f s", seconds) : "" }
      [result.project.name, result.project.version.to_s, WORDS.fetch(result.verdict), *times,
       result.speed_up ? format("%.2f×", result.speed_up) : "", result.drop_ins&.join(" ").to_s]
    end

    def closing
      others = (WORDS.keys - [:same]).filter_map do |verdict|
        "#{count(verdict)} #{WORDS[verdict].downcase}" if count(verdict).positive?
      end
      "#{count(:same)} of #{@results.size} projects: same output, status and tree, stock and frugal (#{@engine})" \
        "#{"; " if others.any?}#{others.join(", ")}"
    end
  end
end
