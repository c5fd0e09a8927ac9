# frozen_string_literal: true

module Frugal
  module SessionsBench
    # What is done with a number of sessions of a size, in one case. `actions` are measured one by one.
    Subject = Struct.new(:name, :sessions, :action, keyword_init: true) do
      def title = Cases::TITLES.fetch(name)

      def to_s = ["#{name}, #{action}", ("#{sessions} sessions" if sessions)].compact.join(", ")

      # @return [Boolean] whether requests are sent to an application
      def application? = Cases::APPLICATIONS.key?(name)
    end

    # All cases.
    module Cases
      TITLES = {
        "store" => "one session of 200 bytes, loaded and committed, without an application",
        "growth" => "one of many sessions of 2 kB, loaded and committed, without an application",
        "rack" => "a Rack application under Puma with two processes, sessions of 2 kB",
        "rails" => "the same as a Rails application in production",
        "cache" => "entries of a cache with 200 bytes"
      }.freeze
      NAMES = TITLES.keys.freeze
      PSTORE = "PStore"
      FILES = "frugal, files"
      REDIS = "frugal, redis"
      SQLITE = "frugal, sqlite"
      COOKIES = "cookies"
      POOL = "Pool"
      # Label => the kind of place, see places.rb.
      PLACES = { PSTORE => "pstore", FILES => "files", REDIS => "redis", SQLITE => "sqlite" }.freeze
      APPLICATIONS = {
        "rack" => { PSTORE => "pstore", FILES => "files", REDIS => "redis", POOL => "pool", COOKIES => "cookies" },
        "rails" => { PSTORE => "pstore", FILES => "files", REDIS => "redis", COOKIES => "cookies" }
      }.freeze
      CACHES = { "frugal" => "FrugalStore", "FileStore" => "FileStore", "MemoryStore" => "MemoryStore",
                 "RedisCacheStore" => "RedisCacheStore" }.freeze
      ACTIONS = { "store" => %w[unchanged changed], "growth" => ["unchanged", "changed", "unchanged, 100 active", "changed, 100 active"],
                  "rack" => %w[unchanged changed], "rails" => %w[unchanged changed],
                  "cache" => %w[overwrite hit miss increment] }.freeze
      SIZES = { false => [100, 10_000, 1_000_000], true => [10, 20] }.freeze # by quick
      # The Pool has all sessions in the memory of each process.
      LARGEST_POOL = 10_000
      # The number of sessions of the Rails application, and of those whose bars are drawn.
      USUAL = 10_000

      class << self
        # @return [Array<Integer>] numbers of sessions
        def sizes(quick:, largest:) = SIZES.fetch(quick).select { |size| size <= largest }

        # @param sizes [Array<Integer>]
        # @return [Array<Subject>] of a case
        def subjects(name, sizes)
          counts = { "growth" => sizes, "rack" => sizes, "rails" => [usual(sizes)] }.fetch(name, [nil])
          counts.product(ACTIONS.fetch(name)).map do |sessions, action|
            Subject.new(name: name, sessions: sessions, action: action)
          end
        end

        # @return [Integer]
        def usual(sizes) = sizes.select { |size| size <= USUAL }.max

        # @return [Array<String>] the labels of the rivals of a subject
        def labels(subject)
          case subject.name
          when "store" then PLACES.keys
          when "growth" then PLACES.keys - [SQLITE]
          when "cache" then CACHES.keys
          else APPLICATIONS.fetch(subject.name).keys.reject { |label| label == POOL && subject.sessions > LARGEST_POOL }
          end
        end
      end
    end
  end
end
