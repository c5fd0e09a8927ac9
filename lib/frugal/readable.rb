# frozen_string_literal: true

module Frugal
  # Numbers, commands and bytes in the form in which reports show them.
  module Readable
    class << self
      # @param value [Float] seconds
      # @return [String] such as "2.70 s" or "62.1 ms"
      def seconds(value)
        return format("%.1f ms", value * 1000) if value < 0.1

        format(value < 10 ? "%.2f s" : "%.1f s", value)
      end

      # @param value [Integer, String] digits
      # @return [String] with thousands separators, such as "451,154"
      def count(value) = value.to_s.gsub(/(?<=\d)(?=(?:\d{3})+\z)/, ",")

      # @return [String] such as "1.04×", "6.1×", "120×" or "5,000×"
      def ratio(value)
        digits = { 2 => 2, 100 => 1 }.find { |below, _| value < below }&.last || 0
        "#{count(format("%.#{digits}f", value))}×"
      end

      # @param argv [Array<String>]
      # @return [String] the command quoted for a shell
      def command(argv)
        argv.map { |word| text(word) }
            .map { |word| word.match?(%r{\A[\w@%+=:,./-]+\z}) ? word : "'#{word.gsub("'", "'\\\\''")}'" }.join(" ")
      end

      # @param bytes [String] in any encoding
      # @return [String] valid UTF-8; invalid bytes are replaced
      def text(bytes) = bytes.dup.force_encoding(Encoding::UTF_8).scrub
    end
  end
end
