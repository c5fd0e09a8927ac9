# frozen_string_literal: true

module Frugal
  module CLI
    class Definition
      # The methods for the block of {Definition.define}.
      class Builder
        # @return [Hash{Symbol => Object}]
        attr_reader :attributes

        # @param name [String]
        def initialize(name)
          @attributes = { name: name, usages: [], description: [], examples: [], sections: [], notes: [],
                          environment: {}, exit_status: {}, operands: [] }
        end

        # @param text [String]
        def summary(text) = @attributes[:summary] = text

        # @param operands [String] the operands after the name of the command
        def usage(operands) = @attributes[:usages] << operands

        # @param text [String] paragraphs, with an empty line between two
        def description(text) = @attributes[:description].concat(paragraphs(text))

        # @param command [String]
        # @param text [String] its effect, in a few words
        def example(command, text = "") = @attributes[:examples] << [command, text]

        # Begins a group of options.
        #
        # @param title [String]
        def section(title) = @attributes[:sections] << Section.new(title, [])

        # @param specification [Array] flags, type and text, as OptionParser#on takes them
        # @param details [Hash] see {Option#initialize}
        def option(*specification, **details)
          section("options") if @attributes[:sections].empty?
          @attributes[:sections].last.options << Option.new(*specification, **details)
        end

        # @param text [String] paragraphs, with an empty line between two
        def note(text) = @attributes[:notes].concat(paragraphs(text))

        # @param variables [Hash{String => String}]
        def environment(variables) = @attributes[:environment].update(variables)

        # @param meanings [Hash{Integer, String => String}]
        def exit_status(meanings) = @attributes[:exit_status].update(meanings.transform_keys(&:to_s))

        # @param kinds [Array<Array<String>, Symbol>] see {Definition#operands}
        def operands(*kinds) = @attributes[:operands] = kinds

        # @param text [String]
        def next_step(text) = @attributes[:next_step] = text

        private

        def paragraphs(text) = text.split(/\n{2,}/).map { |paragraph| paragraph.split.join(" ") }
      end
    end
  end
end
