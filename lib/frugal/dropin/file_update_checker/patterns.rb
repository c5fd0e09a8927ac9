# frozen_string_literal: true

module Frugal
  module Dropin
    module FileUpdateChecker
      # Reads the patterns that a checker has made of its folders and endings.
      #
      #   Patterns.folders("{app/**/*.{rb,yml},lib/**/*}")   # => { "app" => [".rb", ".yml"], "lib" => [""] }
      #   Patterns.folders(["app/**/*.{rb}"])                # => { "app" => [".rb"] }, from Rails 8.1 on
      #   Patterns.folders("{app/[ab]/**/*}")                # => nil: only Ruby knows what it matches
      module Patterns
        # A folder, and all that ends with the same text at any depth below it.
        PATTERN = %r{\A([^*?\[\]{}\\\0]+)/\*\*/\*([^*?\[\]\\/\0]*)\z}
        # A folder with an empty name, which the paths repeat.
        EMPTY = %r{//|/\z}
        private_constant :PATTERN, :EMPTY

        class << self
          # @param globs [String, Array<String>, nil]
          # @return [Hash{String => Array<String>}, nil] folder => endings of names, an ending as often as it is there;
          #   nil if only Ruby can answer
          def folders(globs)
            patterns = patterns(globs) or return
            endings = {}
            patterns.each_with_object({}) do |pattern, folders|
              folder, ending = read(pattern)
              return unless folder

              all = endings[ending] ||= alternatives(ending) or return
              folders[folder] = folders.fetch(folder, []) + all
            end
          end

          # As Ruby's Dir.glob expands braces.
          #
          # @param text [String]
          # @return [Array<String>, nil] nil if a brace is not closed: Ruby finds nothing
          def alternatives(text)
            first, choices, last = split(text)
            return text.match?(/[{}]/) ? nil : [text] unless first

            all = choices.map { |choice| alternatives("#{first}#{choice}#{last}") }
            all.flatten(1) if all.all?
          end

          private

          # @return [Array<String>, nil] without the braces around all
          def patterns(globs)
            return [] if globs.nil?

            all = globs.instance_of?(::Array) ? globs : [globs]
            return unless all.all? { |one| one.instance_of?(::String) && readable?(one) }
            return all if globs.instance_of?(::Array)

            first, choices, last = split(globs)
            choices if first == "" && last == ""
          end

          # The engine compares bytes. Stock's patterns have the encoding of its file.
          def readable?(text) = text.encoding == ::Encoding::UTF_8 && text.valid_encoding?

          def read(pattern)
            folder, ending = PATTERN.match(pattern)&.captures
            [folder, ending] if folder && ending.ascii_only? && !EMPTY.match?(folder)
          end

          # @return [Array(String, Array<String>, String), nil] before the first braces, its choices, what follows
          def split(text)
            depth = 0
            open = from = nil
            choices = []
            text.each_char.with_index do |character, index|
              case character
              when "{"
                open, from = index, index + 1 if (depth += 1) == 1
              when "}"
                next if depth.zero?
                next unless (depth -= 1).zero?

                return [text[0, open], choices << text[from...index], text[index + 1..]]
              when ","
                next unless depth == 1

                choices << text[from...index]
                from = index + 1
              end
            end
            nil
          end
        end
      end
    end
  end
end
