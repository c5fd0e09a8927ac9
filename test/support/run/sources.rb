# frozen_string_literal: true

require_relative "needs"

class TestRun
  # Finds the tests of a file of lib/, so that nobody has to know their names.
  #
  #   Sources.tests_of("/frugal/lib/frugal/dropin/rake/patches.rb")   # => ["/frugal/test/dropin/rake_test.rb"]
  #
  # A test is named by the words of a path below lib/frugal/: all of them, or the first ones. Its folder in test/ may be the
  # first word. The longest name counts: session/redis/upkeep.rb is tested by test/shared/session_redis_test.rb, not by
  # session_test.rb. If no test has such a name, those count whose names begin with these words. The engines have one test for all,
  # so the folders of native/ are no part of the name.
  module Sources
    LIB = "#{Needs::ROOT}/lib/".freeze
    TEST = "#{Needs::ROOT}/test/".freeze
    # The words of paths that have other names in test/.
    OTHERS = {
      "frugal" => "signatures", "error" => "signatures", "version" => "gem", "loader" => "autorun", "rack" => "halts", "rspec" => "minitest",
      "platform" => "native", "readable" => "compare_statistics", "command" => "compare_runner",
      "beneath" => "files", "entry" => "entries", "names" => "walk", "stores" => "store", "system_name" => "store",
      "turn" => "wait", "turns" => "wait", "action_dispatch_middleware_session" => "session_rails", "active_support_cache" => "cache_store",
      "rack_session" => "session", "roda" => "http_responder"
    }.freeze

    class << self
      # @param path [String] absolute
      # @return [Boolean] whether it is lib/, or in it
      def source?(path) = "#{path}/".start_with?(LIB)

      # @param path [String] a file or a folder of lib/, absolute
      # @return [Array<String>] absolute paths, without duplicates
      def tests_of(path)
        files = File.directory?(path) ? Dir.glob("#{path}/**/*.rb") : [path]
        files.flat_map { |file| tests_of_words(words(file)) }.uniq
      end

      private

      def words(file)
        file.delete_prefix(LIB).delete_prefix("frugal/").delete_suffix(".rb").sub(%r{\Anative/(?:java|pure)/}, "").split(%r{[/_]})
      end

      def tests_of_words(words)
        words.size.downto(1) do |size|
          name = words.first(size).join("_")
          found = tests[name] || begin_with("#{name}_")
          found = tests_of_words(OTHERS.fetch(name).split("_")) if found.empty? && OTHERS.key?(name)
          return found unless found.empty?
        end
        []
      end

      def begin_with(words) = tests.select { |name, _| name.start_with?(words) }.values.flatten

      # @return [Hash{String => Array<String>}] test files by their names, with and without the folder
      def tests
        @tests ||= Dir.glob("#{TEST}**/*_test.rb").grep_v(%r{/corpus/}).each_with_object({}) do |file, tests|
          parts = file.delete_prefix(TEST).delete_suffix("_test.rb").split("/")
          [parts, parts.drop(1)].each { |name| (tests[name.join("_")] ||= []) << file }
        end
      end
    end
  end
end
