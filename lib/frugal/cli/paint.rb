# frozen_string_literal: true

require "io/console"

module Frugal
  module CLI
    # What depends on who reads it. Bold words for a person: plain when the output is no
    # terminal, and with NO_COLOR.
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
        # @return [Integer, nil] columns; nil where it is no terminal, or one that does not tell
        def width(io = $stdout) = (io.winsize.last.nonzero? if io.tty?)

        private

        def paint?(io) = io.tty? && ENV["NO_COLOR"].to_s.empty? && ENV["TERM"] != "dumb"
      end
    end
  end
end
