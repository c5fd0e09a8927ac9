# frozen_string_literal: true

module Real
  # Replaces what may differ between two runs of the same program, such as times.
  #
  # There are two rules:
  #
  # 1. STREAMS (durations, pids, addresses) is applied to all output of a program, since
  #    a duration may be equal in both runs of stock by chance, and differ in frugal's. It
  #    is never applied to files.
  # 2. The declarations of a project (`normalise`, `bytes_vary_in`) are applied to a stream, a
  #    path or a file only where the two runs of stock differ (for a glob: in one of its
  #    files). Frugal's run is between these two, so a date that is equal before and after
  #    it is the same in it. So a declaration cannot hide a difference that stock does not
  #    have with itself.
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

    # @param again [String] the stream of stock's second run
    # @return [Array<String>] the three texts, normalised
    def streams(stock, frugal, again) = declared(*[stock, frugal, again].map { |text| replace(text, STREAMS) })

    # The three texts, with the project's substitutions where stock differs from stock.
    def declared(stock, frugal, again)
      return [stock, frugal, again] if stock == again

      [stock, frugal, again].map { |text| replace(text, @substitutions) }
    end

    # @return [String] the normalised name of a file whose name differs between the runs of stock
    def path(name) = replace(name, @substitutions)

    # Whether the bytes of a file are not compared: a declared glob matches it, and also a file that is unstable. (In a
    # compiled cache, some files are the same twice by chance.)
    #
    # @param unstable [Array<String>] paths of files whose bytes differ between the two runs of stock
    def varying?(path, unstable)
      @varying.any? { |glob| match?(glob, path) && unstable.any? { |other| match?(glob, other) } }
    end

    private

    def match?(glob, path) = File.fnmatch?(glob, path, GLOB)

    # A program may print bytes that are not valid UTF-8. They are kept.
    def replace(text, substitutions)
      text = text.dup.force_encoding(Encoding::UTF_8)
      text.force_encoding(Encoding::BINARY) unless text.valid_encoding?
      substitutions.inject(text) { |result, (pattern, words)| result.gsub(pattern, words) }
    rescue Encoding::CompatibilityError
      text
    end
  end
end
