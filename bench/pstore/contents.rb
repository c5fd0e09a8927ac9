# frozen_string_literal: true

module Frugal
  module PStoreBench
    # What a store holds, and what is written to it: the same in each process, and
    # for each turn other than for the one before.
    #
    #   contents = Contents.new("strings", 10_000)
    #   contents.key(3)                  # the root that the third transaction is about
    #   contents.value(3, "change")      # of the size that it has now
    class Contents
      # Shares no factor with any number of roots: all of them have their turn,
      # those at the end of a file as well as those at its beginning.
      STEP = 7919
      # Divides no power of ten: a root that has its turn again gets another size again.
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
      # @param roots [Integer] a session has its own
      def initialize(kind, roots)
        @kind = kind
        @roots = session? ? SESSION.size : roots
      end

      # @return [Hash] as it is at first
      def table = each.to_h

      # What is in it at first, without all of it in memory.
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
      # @param action [String] +unchanged+, +change+ (one of the same size) or +resize+
      # @return [Object] a new one
      def value(turn, action)
        return (action == "unchanged" ? SESSION["user_name"].dup : 1_000_000 + turn % 1_000_000) if session?

        wrap(turn * STEP % roots, turn, action == "resize" ? "x" * (1 + turn % SIZES) : "")
      end

      private

      def session? = @kind == "session"

      def name(index) = format("root %07d", index)

      # Ruby has each String that is the key of a Hash once: in a dump one root leads
      # to the other by them. With +shared+ a value does so too, as a frozen literal of
      # a program does.
      def wrap(index, turn, more)
        text = format("the value %09d of root %07d%s", turn, index, more)
        @kind == "strings" ? text : { "text" => text, "number" => index, "state" => @kind == "shared" ? STATE : STATE.dup, "active" => true }
      end
    end
  end
end
