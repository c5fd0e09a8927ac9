# frozen_string_literal: true

require "optparse"

module Frugal
  module CLI
    # An OptionParser for arguments of any bytes: a path need not be text. OptionParser
    # matches arguments against regexps, which raise for text that is broken in its
    # encoding, so it sees bytes; the command gets the same bytes, tagged as UTF-8.
    #
    #   options = {}
    #   Arguments.new { |parser| parser.on("--json FILE") { |file| options[:json] = file } }.parse(argv)
    class Arguments < OptionParser
      # @param value [String, Array<String>, Object]
      # @return [Object] strings as UTF-8, whether that is valid or not; anything else as it is
      def self.text(value)
        case value
        when String then value.dup.force_encoding(Encoding::UTF_8)
        when Array then value.map { |one| text(one) }
        else value
        end
      end

      def on(*specification, &block)
        super(*specification) { |value| block.call(Arguments.text(value)) }
      end

      # What parse and permute call, too.
      def order!(argv = default_argv, **options, &block)
        argv.map!(&:b)
        super(argv, **options, &(block && ->(word) { block.call(Arguments.text(word)) }))
        argv.map! { |word| Arguments.text(word) }
      end
    end
  end
end
