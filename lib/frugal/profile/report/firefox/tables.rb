# frozen_string_literal: true

require_relative "../words"

module Frugal
  module Profile
    module Report
      class Firefox
        # The tables that all threads share: strings, source files, functions, frames and stacks. A row is a number;
        # equal rows are written once. Each table is written as one array for each column.
        class Tables
          def initialize
            @texts = Hash.new { |texts, bytes| texts[bytes] = Words.visible(bytes) }
            @strings = {}
            @sources = {}
            @functions = {}
            @frames = {}
            @stacks = {}
            @known = Hash.new { |stacks, stack| stacks[stack] = {} }.compare_by_identity
          end

          # @param bytes [String]
          # @return [String] as UTF-8; the same object for the same bytes
          def text(bytes) = @texts[bytes]

          # @param bytes [String, Symbol]
          # @return [Integer]
          def string(bytes) = @strings[text(bytes.to_s)] ||= @strings.size

          # @param stack [Stack]
          # @param leaf [String, Symbol, nil] the innermost frame: the call
          # @param category [Integer] of the leaf
          # @return [Integer, nil] nil if there are no frames
          def stack(stack, leaf = nil, category = nil)
            stacks = @known[stack]
            return stacks[nil] ||= outside_in(stack) unless leaf

            stacks[leaf] ||= row(@stacks, [frame(leaf, nil, nil, category), self.stack(stack)])
          end

          # @return [Hash] the member `shared` of the document
          def to_h
            { stackTable: columns(@stacks, :frame, :prefix), frameTable: frame_table, funcTable: function_table,
              resourceTable: columns({}, :lib, :name, :host, :type),
              nativeSymbols: columns({}, :libIndex, :address, :name, :functionSize),
              stringArray: @strings.keys, sources: source_table }
          end

          private

          def row(table, members) = table[members] ||= table.size

          def outside_in(stack)
            stack.frames.reverse_each.inject(nil) do |prefix, frame|
              row(@stacks, [frame(frame.label || "?", frame.file, frame.line, RUBY), prefix])
            end
          end

          def frame(label, file, line, category)
            source = file && row(@sources, [string(file)])
            row(@frames, [row(@functions, [string(label), source]), line, category])
          end

          def columns(table, *names, **constants)
            values = table.empty? ? names.map { [] } : table.keys.transpose
            constants = constants.transform_values { |value| [value] * table.size }
            { **names.zip(values).to_h, **constants, length: table.size }
          end

          def frame_table
            columns(@frames, :func, :line, :category, address: -1, inlineDepth: 0, subcategory: 0, nativeSymbol: nil,
                                                      innerWindowID: nil, column: nil)
          end

          def function_table
            columns(@functions, :name, :source, isJS: false, relevantForJS: false, resource: -1, lineNumber: nil,
                                                columnNumber: nil)
          end

          def source_table = columns(@sources, :filename, id: nil, startLine: 1, startColumn: 1, sourceMapURL: nil)
        end
      end
    end
  end
end
