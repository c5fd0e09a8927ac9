# frozen_string_literal: true

class TestRun
  # What test files need beside Ruby, a compiler and strace: parts of bin/setup. A file names them in a comment, and needs
  # what the files of the checkout that it requires need:
  #
  #   # needs: browser       nothing in this file runs without it
  #   # uses: redis, shells  some of its tests are skipped without them
  module Needs
    ROOT = File.expand_path("../../..", __dir__)
    COMMENT = /^# (needs|uses): ([a-z]+(?:, [a-z]+)*)$/
    REQUIRED = /^\s*require_relative "([^"#]+)"/

    @known = {}

    class << self
      # @param file [String] an absolute path
      # @return [Array<String>] parts without which nothing of it runs
      def of(file) = comments(file).fetch("needs", [])

      # @return [Array<String>] these, and those without which some of its tests are skipped
      def all(file) = comments(file).values.flatten.uniq

      private

      def comments(file)
        @known[file] ||= closure(file, {}).flat_map { |each| read(each).scan(COMMENT) }
                                          .group_by(&:first).transform_values { |found| found.flat_map { |_, parts| parts.split(", ") }.uniq }
      end

      # In the locale C, Ruby takes files for US-ASCII.
      def read(file) = File.read(file, encoding: "UTF-8")

      # The file and what it requires.
      def closure(file, seen)
        return seen.keys if seen[file] || !file.start_with?("#{ROOT}/test/", "#{ROOT}/bench/support/") || !File.file?(file)

        seen[file] = true
        read(file).scan(REQUIRED) { |(name)| closure(File.expand_path(name.sub(/(\.rb)?\z/, ".rb"), File.dirname(file)), seen) }
        seen.keys
      end
    end
  end
end
