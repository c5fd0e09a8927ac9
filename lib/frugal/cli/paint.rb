# frozen_string_literal: true

module Frugal
  module CLI
    # Bold words, where they are read by a person: plain when the output is no
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

        private

        def paint?(io) = io.tty? && ENV["NO_COLOR"].to_s.empty? && ENV["TERM"] != "dumb"
      end
    end
  end
end
