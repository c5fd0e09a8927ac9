# frozen_string_literal: true

require_relative "rivals"

module Frugal
  module PStoreBench
    # An action on a store, and the sides that run it. `name` is the name of the case. A case
    # with growing stores has a subject for each size and action.
    Subject = Struct.new(:name, :title, :kind, :roots, :action, :sides, keyword_init: true) do
      def growth? = !roots.zero?

      # @return [String] a description in one line
      def to_s
        growth? ? "#{name}, #{Readable.count(roots)} roots, #{Cases::ACTIONS.fetch(action)}" : name
      end
    end

    # All cases: the table of one small store, and the growing stores.
    class Cases
      SMALL = {
        "read-only" => ["read", "a transaction that only reads"],
        "unchanged" => ["unchanged", "a write of an equal value"],
        "changed" => ["change", "a write of a changed value"],
        "ultra-safe" => ["change", "the same, by replacing the file"],
        "durable" => ["change", "the same, on the disk before the transaction ends; stock's ultra_safe does not guarantee this"]
      }.freeze
      GROWTH = {
        "strings" => "a String of 35 bytes in each root",
        "hashes" => "a Hash of four entries in each root; the roots share its keys",
        "shared" => "the same, and all roots also share one value"
      }.freeze
      NAMES = [*SMALL.keys, *GROWTH.keys].freeze
      ACTIONS = { "read" => "read warm", "new" => "read, new object", "cold" => "read cold",
                  "change" => "change, same size", "resize" => "change, other size" }.freeze
      SQLITE = %w[read change].freeze
      LARGEST_SHARED = 10_000 # roots; larger stores give no new information, because they are always read completely
      ROOTS = { false => [10, 100, 1000, 10_000, 100_000, 1_000_000], true => [10, 100] }.freeze # by quick

      # @param rivals [Rivals]
      # @param quick [Boolean]
      # @param largest [Integer] roots
      def initialize(rivals, quick:, largest:)
        @rivals = rivals
        @sizes = ROOTS.fetch(quick).select { |roots| roots <= largest }
      end

      # @param names [Array<String>] of {NAMES}
      # @return [Array<Subject>] the largest stores last
      def subjects(names)
        SMALL.keys.intersection(names).map { |name| small(name) } +
          sizes(names).product(ACTIONS.keys).map { |(roots, name), action| growing(name, roots, action) }
      end

      private

      def sizes(names)
        @sizes.product(GROWTH.keys.intersection(names)).reject { |roots, name| name == "shared" && roots > LARGEST_SHARED }
      end

      def small(name)
        action, title = SMALL.fetch(name)
        Subject.new(name: name, title: title, kind: "session", roots: 0, action: action,
                    sides: __send__("sides_#{name.tr("-", "_")}"))
      end

      def growing(name, roots, action)
        sides = [@rivals.drop_in, (@rivals.store(engine: :sqlite) if SQLITE.include?(action)), @rivals.stock].compact
        Subject.new(name: name, title: GROWTH.fetch(name), kind: name, roots: roots, action: action, sides: sides)
      end

      def sides_changed = [@rivals.drop_in, @rivals.store, *@rivals.stocks, *@rivals.jrubies]
      alias sides_read_only sides_changed
      alias sides_unchanged sides_changed

      def sides_ultra_safe
        [@rivals.drop_in(ultra_safe: true), @rivals.store(durability: :atomic), *@rivals.stocks(ultra_safe: true)]
      end

      def sides_durable
        [@rivals.store(durability: :durable), @rivals.drop_in(ultra_safe: true), @rivals.none,
         @rivals.stock(ultra_safe: true)]
      end
    end
  end
end
