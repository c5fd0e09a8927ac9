# frozen_string_literal: true

require "optparse"

module Frugal
  module CLI
    # An OptionParser for arguments of any bytes, as paths can be. OptionParser matches
    # arguments against regexps, which raise for text that is invalid in its encoding.
    # So it gets binary strings, and the command gets the same bytes as UTF-8.
    #
    #   options = {}
    #   Arguments.new { |parser| parser.on("--json FILE") { |file| options[:json] = file } }.parse(argv)
    class Arguments < OptionParser
      # @param value [String, Array<String>, Object]
      # @return [Object] strings as UTF-8, valid or not; anything else unchanged
      def self.text(value)
        case value
        when String then value.dup.force_encoding(Encoding::UTF_8)
        when Array then value.map { |one| text(one) }
        else value
        end
      end

      def on(*specification, &block)
        super { |value| block.call(Arguments.text(value)) }
      end

      # `parse` and `permute` call this method, too.
      def order!(argv = default_argv, **options, &block)
        argv.map!(&:b)
        super(argv, **options, &block && ->(word) { block.call(Arguments.text(word)) })
        argv.map! { |word| Arguments.text(word) }
      end
    end
  end
end
