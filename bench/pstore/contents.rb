# frozen_string_literal: true

module Frugal
  module PStoreBench
    # The contents of a store, and the values that are written to it. They are equal in each
    # process. Each transaction has a number ("turn"), and each turn has another value.
    #
    #   contents = Contents.new("strings", 10_000)
    #   contents.key(3, "change")        # the root of the third transaction
    #   contents.value(3, "change")      # a new value of the same size as the present one
    class Contents
      # A prime that divides no number of roots, so that all roots have a turn: those at
      # the end of a file as well as those at its beginning.
      STEP = 7919
      # Divides no power of ten, so that a root has another size in its next turn.
      SIZES = 17
      STATE = "confirmed"
      # A web application's session.
      SESSION = {
        "user_id" => 4711, "user_name" => "Ada Lovelace", "language" => "en", "return_to" => "/orders/2718/edit",
        "flash" => { "notice" => "Your order was saved." }, "token" => "0f1e2d3c4b5a69788796a5b4c3d2e1f0", "visits" => 1_000_000
      }.freeze

      # @return [Integer]
      attr_reader :roots

      # @param kind [String] session, strings, hashes or shared
      # @param roots [Integer] ignored for a session, which has a fixed number
      def initialize(kind, roots)
        @kind = kind
        @roots = session? ? SESSION.size : roots
      end

      # @return [Hash] the initial contents
      def table = each.to_h

      # Yields the initial contents, without all of them in memory.
      #
      # @yieldparam key [String]
      # @yieldparam value [Object]
      def each(&block)
        return enum_for(:each) unless block
        return SESSION.each(&block) if session?

        roots.times { |index| yield name(index), wrap(index, 0, "") }
      end

      # @param turn [Integer]
      # @param action [String]
      # @return [String]
      def key(turn, action)
        return name(turn * STEP % roots) unless session?

        action == "unchanged" ? "user_name" : "visits"
      end

      # @param turn [Integer]
      # @param action [String] `unchanged`, `change` (a value of the same size) or `resize`
      # @return [Object] a new value
      def value(turn, action)
        return (action == "unchanged" ? SESSION["user_name"].dup : 1_000_000 + turn % 1_000_000) if session?

        wrap(turn * STEP % roots, turn, action == "resize" ? "x" * (1 + turn % SIZES) : "")
      end

      private

      def session? = @kind == "session"

      def name(index) = format("root %07d", index)

      # The keys of the Hashes are one object each in all roots, because Ruby deduplicates
      # String keys: in a dump, the later roots refer to them. With `shared`, one value is
      # also the same object in all roots, like a frozen literal in a program.
      def wrap(index, turn, more)
        text = format("the value %09d of root %07d%s", turn, index, more)
        return text if @kind == "strings"

        { "text" => text, "number" => index, "state" => @kind == "shared" ? STATE : STATE.dup, "active" => true }
      end
    end
  end
end
