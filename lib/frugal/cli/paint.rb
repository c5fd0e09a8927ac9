# frozen_string_literal: true

require "io/console"

module Frugal
  module CLI
    # Formats output for terminals. Text is bold only on a terminal, and only if NO_COLOR is not set.
    #
    #   puts Paint.bold("2.9 times faster")
    module Paint
      class << self
        # @param text [String]
        # @param io [IO] where it will be written
        # @return [String]
        def bold(text, io = $stdout)
          paint?(io) ? "\e[1m#{text}\e[0m" : text
        end

        # @param io [IO] where it will be written
        # @return [Integer, nil] columns; nil if it is not a terminal, or its width is unknown
        def width(io = $stdout) = (io.winsize.last.nonzero? if io.tty?)

        private

        def paint?(io) = io.tty? && ENV["NO_COLOR"].to_s.empty? && ENV["TERM"] != "dumb"
      end
    end
  end
end
