# frozen_string_literal: true

module Frugal
  class Compare
    # One of the two ways to run the command: as it is (stock), or through the launcher
    # of `frugal run`, whose cost counts as part of frugal's.
    Side = Struct.new(:name, :argv) do
      # @param command [Array<String>]
      def self.stock(command) = new(:stock, command)

      # @param command [Array<String>]
      # @param options [Array<String>] options of +frugal run+
      def self.frugal(command, options = [])
        new(:frugal, ["/bin/sh", Side::LAUNCHER, "run", *options, "--", *command])
      end
    end

    Side::LAUNCHER = File.expand_path("../../../libexec/frugal-run", __dir__)
  end
end
