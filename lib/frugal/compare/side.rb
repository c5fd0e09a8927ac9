# frozen_string_literal: true

require_relative "../launcher"

module Frugal
  class Compare
    # One of the two ways to run the command: unchanged (stock), or through the launcher of `frugal run`, whose cost
    # counts as part of frugal's.
    Side = Struct.new(:name, :argv) do
      # @param command [Array<String>]
      def self.stock(command) = new(:stock, command)

      # @param command [Array<String>]
      # @param options [Array<String>] options of +frugal run+
      def self.frugal(command, options = [])
        new(:frugal, [*Launcher.command, *options, "--", *command])
      end
    end
  end
end
