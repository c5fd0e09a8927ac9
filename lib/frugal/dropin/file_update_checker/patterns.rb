# frozen_string_literal: true

require_relative "../../walk/fast_glob/braces"

module Frugal
  module Dropin
    module FileUpdateChecker
      # Reads the patterns that a checker has made of its folders and endings.
      #
      #   Patterns.folders("{app/**/*.{rb,yml},lib/**/*}")   # => { "app" => [".rb", ".yml"], "lib" => [""] }
      #   Patterns.folders(["app/**/*.{rb}"])                # => { "app" => [".rb"] }, from Rails 8.1 on
      #   Patterns.folders("{app/[ab]/**/*}")                # => nil: only Ruby can answer it
      module Patterns
        # A folder, and all that ends with the same text at any depth below it.
        PATTERN = %r{\A([^*?\[\]{}\\\0]+)/\*\*/\*([^*?\[\]\\/\0]*)\z}
        # A folder with an empty name, such as in "a//b", which also appears in stock's paths.
        EMPTY = %r{//|/\z}
        BRACE = /[{}]/
        private_constant :PATTERN, :EMPTY, :BRACE

        class << self
          # @param globs [String, Array<String>, nil]
          # @return [Hash{String => Array<String>}, nil] folder => endings of names, an ending as often as it occurs;
          #   nil if only Ruby can answer
          def folders(globs)
            patterns = patterns(globs) or return
            endings = {}
            patterns.each_with_object({}) do |pattern, folders|
              folder, ending = read(pattern)
              return unless folder

              all = endings[ending] ||= Walk::FastGlob::Braces.split(ending)
              return if all.any?(BRACE) # an unclosed brace: Ruby finds nothing

              folders[folder] = folders.fetch(folder, []) + all
            end
          end

          private

          # @return [Array<String>, nil] the patterns, without the braces around all of them
          def patterns(globs)
            return [] if globs.nil?

            all = globs.instance_of?(::Array) ? globs : [globs]
            return unless all.all? { |one| one.instance_of?(::String) && readable?(one) }
            return all if globs.instance_of?(::Array)

            group = Walk::FastGlob::Braces::GROUP.match(globs)
            Walk::FastGlob::Braces.choices(group[1]) if group && group[0] == globs
          end

          # Whether a text is in the encoding of stock's file and so of stock's patterns: the engine compares bytes.
          def readable?(text) = text.encoding == ::Encoding::UTF_8 && text.valid_encoding?

          def read(pattern)
            folder, ending = PATTERN.match(pattern)&.captures
            [folder, ending] if folder && ending.ascii_only? && !EMPTY.match?(folder)
          end
        end
      end
    end
  end
end
