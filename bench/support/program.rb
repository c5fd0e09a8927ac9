# frozen_string_literal: true

require "open3"

module Frugal
  module Bench
    # What programs of this machine say.
    module Program
      # @return [String, nil] its output; nil where it is not there or fails
      def self.said(*argv)
        out, status = Open3.capture2(*argv, err: File::NULL)
        out if status.success?
      rescue Errno::ENOENT
        nil
      end

      # @return [String, nil] the first line of what it says of its version
      def self.version(name) = said(name, "--version")&.lines&.first&.chomp
    end
  end
end
