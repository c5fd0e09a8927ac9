# frozen_string_literal: true

require "open3"

module Frugal
  module Bench
    # Runs programs of this machine.
    module Program
      # @return [String, nil] the output of the program; nil if it is missing or fails
      def self.output(*argv)
        out, status = Open3.capture2(*argv, err: File::NULL)
        out if status.success?
      rescue Errno::ENOENT
        nil
      end

      # @return [String, nil] the first line of `NAME --version`
      def self.version(name) = output(name, "--version")&.lines&.first&.chomp
    end
  end
end
