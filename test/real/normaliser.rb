# frozen_string_literal: true

module Real
  # The one place that knows what may differ between two runs of the same program.
  #
  # Two rules decide when anything is replaced at all:
  #
  # 1. STREAMS (durations, pids, addresses) is applied to what a program prints: a duration
  #    may be equal in both runs of stock by chance, and then differ in frugal's. It is
  #    never applied to files.
  # 2. What a project declares (`normalise`, `bytes_vary_in`) is applied to a stream, a path or a
  #    file only where the two runs of stock differ (a glob: in one of its files). Frugal's run is between those two: a
  #    date that is equal before and after it is the same in it too. So a declaration can
  #    hide no difference that stock does not have with itself.
  class Normaliser
    STREAMS = {
      /\b\d+(?:\.\d+)?(?:e-\d+)? ?(?:s|ms|sec|secs|seconds?|minutes?)\b/ => "TIME",
      %r{\b\d+\.\d+ (?:runs|tests|assertions|examples)/s\b} => "RATE",
      /\b0x\h{8,16}\b/ => "ADDRESS",
      /\bpid[ =:#]?\d+\b/i => "PID"
    }.freeze

    GLOB = File::FNM_PATHNAME | File::FNM_DOTMATCH | File::FNM_EXTGLOB
    private_constant :GLOB

    # @param substitutions [Hash{Regexp => String}] the project's own
    # @param varying [Array<String>] globs
    def initialize(substitutions, varying)
      @substitutions = substitutions
      @varying = varying
    end

    # @param again [String] the same of stock's second run
    # @return [Array<String>] the three texts, comparable
    def streams(stock, frugal, again) = declared(*[stock, frugal, again].map { |text| replace(text, STREAMS) })

    # The three texts, with the project's substitutions where stock differs from stock.
    def declared(stock, frugal, again)
      return [stock, frugal, again] if stock == again

      [stock, frugal, again].map { |text| replace(text, @substitutions) }
    end

    # @return [String] of a file whose name stock does not repeat
    def path(name) = replace(name, @substitutions)

    # Whether bytes of that file do not count: a declared glob has it, and one that stock does not repeat. (Which of the
    # files of a compiled cache come out the same twice is chance.)
    #
    # @param unrepeated [Array<String>] paths of files whose bytes stock does not repeat
    def varying?(path, unrepeated)
      @varying.any? { |glob| match?(glob, path) && unrepeated.any? { |other| match?(glob, other) } }
    end

    private

    def match?(glob, path) = File.fnmatch?(glob, path, GLOB)

    # Bytes stay bytes: a program may print anything.
    def replace(text, substitutions)
      text = text.dup.force_encoding(Encoding::UTF_8)
      text.force_encoding(Encoding::BINARY) unless text.valid_encoding?
      substitutions.inject(text) { |result, (pattern, words)| result.gsub(pattern, words) }
    rescue Encoding::CompatibilityError
      text
    end
  end
end
