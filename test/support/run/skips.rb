# frozen_string_literal: true

require "yaml"

class TestRun
  # Which tests a run has skipped, and whether they are those of the list: where CI runs `bin/test --all`, nothing may be
  # missing, so that a test that is skipped there for another reason is a test that nobody runs any more.
  # `bin/test --all --list-skips` writes the list, for the Ruby that runs it.
  class Skips
    FILE = File.expand_path("../../skips.yml", __dir__)
    ABOUT = <<~TEXT
      # The tests that CI may skip: how many of each leg, for which reason. The first level is the version of MRI.
      # `bin/test --all --list-skips` writes this file; see support/run/skips.rb.
    TEXT
    RUBY = RUBY_VERSION[/\A\d+\.\d+/]

    # @param file [String]
    def initialize(file = FILE)
      @file = file
      @counts = Hash.new { |legs, title| legs[title] = Hash.new(0) }
    end

    # @param title [String] of the leg
    # @param reason [String]
    def add(title, reason, count = 1) = @counts[title][reason.dup.force_encoding(Encoding::UTF_8).scrub] += count

    # @return [Array<String>] the most frequent reason first
    def summary
      reasons = @counts.values.flat_map(&:to_a).group_by(&:first).transform_values { |found| found.sum(&:last) }
      reasons.sort_by { |reason, count| [-count, reason] }.map { |reason, count| "skipped #{count}: #{reason}" }
    end

    # @param titles [Array<String>] the legs that have run
    # @return [Array<String>] one line for each reason that the list does not have, or has with another number
    def differences(titles)
      titles.flat_map do |title|
        listed = list.dig(RUBY, title).to_h
        (listed.keys | @counts[title].keys).filter_map do |reason|
          skipped, expected = [@counts[title], listed].map { |counts| counts.fetch(reason, 0) }
          "#{title}: #{skipped} skipped, and #{expected} in test/skips.yml: #{reason}" if skipped != expected
        end
      end
    end

    # Replaces these legs in the list.
    def write(titles)
      legs = list[RUBY].to_h.merge(titles.to_h { |title| [title, @counts[title].sort.to_h] })
      all = list.merge(RUBY => legs.reject { |_, reasons| reasons.empty? }.sort.to_h)
      File.write(@file, ABOUT + YAML.dump(all, line_width: -1))
    end

    private

    def list = @list ||= File.file?(@file) ? YAML.safe_load_file(@file) : {}
  end
end
