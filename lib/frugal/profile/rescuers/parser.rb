# frozen_string_literal: true

require "ripper"

module Frugal
  module Profile
    class Rescuers
      # A range of lines of source code, and the names of the constants in it; nil for anything else.
      Span = Struct.new(:first, :last, :names) do
        # @param line [Integer]
        # @return [Boolean]
        def cover?(line) = line.between?(first, last)

        # @param other [Span, Region]
        # @return [Boolean]
        def include?(other) = first <= other.first && last >= other.last
      end

      # One `rescue` with its classes; nil in `names` is a class that is known only at run time.
      Clause = Struct.new(:line, :names) do
        # @param ancestors [Array<String>]
        # @return [Boolean] whether it may rescue an exception of these classes
        def match?(ancestors)
          names.any? { |name| name.nil? || ancestors.any? { |one| one == name || one.end_with?("::#{name}") } }
        end
      end

      # The lines whose exceptions the clauses rescue.
      Region = Struct.new(:first, :last, :clauses) do
        # @param line [Integer]
        # @return [Boolean]
        def cover?(line) = line.between?(first, last)
      end

      # Every event of Ripper returns the lines that it spans.
      class Spans < Ripper
        UNKNOWN = [nil].freeze
        private_constant :UNKNOWN

        Ripper::SCANNER_EVENTS.each { |event| define_method(:"on_#{event}") { |_| Span.new(lineno, lineno, UNKNOWN) } }
        Ripper::PARSER_EVENTS.each { |event| define_method(:"on_#{event}") { |*parts| span(parts, UNKNOWN) } }

        private

        def spans(parts) = parts.flatten.grep(Span)

        # @return [Span, nil] nil if no part has a line
        def span(parts, names)
          found = spans(parts)
          Span.new(found.map(&:first).min, found.map(&:last).max, names) unless found.empty?
        end
      end

      # Collects the regions and the blocks of a program.
      class Parser < Spans
        BARE = ["StandardError"].freeze
        LISTS = %i[args_new args_add args_add_block mrhs_new mrhs_new_from_args mrhs_add].freeze
        KEPT = %i[var_ref top_const_ref].freeze
        # Keywords that are complete statements, whose event has no token.
        ALONE = { yield0: "yield", zsuper: "super", return0: "return", retry: "retry", redo: "redo" }.freeze
        private_constant :BARE, :LISTS, :KEPT, :ALONE

        # @return [Array<Region>]
        attr_reader :regions
        # @return [Array<Span>]
        attr_reader :blocks

        # @param code [String]
        def initialize(code)
          super
          @regions = []
          @blocks = []
          @rescues = []
          @keywords = {}
        end

        LISTS.each do |event|
          define_method(:"on_#{event}") { |*parts| span(parts, spans(parts).flat_map(&:names)) }
        end

        KEPT.each { |event| define_method(:"on_#{event}") { |part| part } }

        ALONE.each do |event, keyword|
          define_method(:"on_#{event}") { Span.new(@keywords[keyword], @keywords[keyword], UNKNOWN) }
        end

        %i[do_block brace_block lambda].each do |event|
          define_method(:"on_#{event}") { |*parts| span(parts, UNKNOWN).tap { |block| @blocks << block if block } }
        end

        # The handlers of events, called by Ripper. A constant has a name.
        def on_const(name) = Span.new(lineno, lineno, [name])

        # Keeps the lines of `rescue` clauses: the events of the clauses do not have them.
        def on_kw(keyword)
          @rescues << lineno if keyword == "rescue" && state.allbits?(Ripper::EXPR_MID)
          @keywords[keyword] = lineno
          Span.new(lineno, lineno, UNKNOWN)
        end

        # `A::B`
        def on_const_path_ref(parent, name)
          names = parent.is_a?(Span) && parent.names.first ? ["#{parent.names.first}::#{name.names.first}"] : UNKNOWN
          span([parent, name], names)
        end

        # Chained clauses are reduced from the last to the first.
        def on_rescue(classes, variable, body, chain)
          names = classes ? spans([classes]).flat_map(&:names) : BARE
          line = @rescues.pop
          clauses = [Clause.new(line, names), *(chain.names if chain)]
          Span.new(line, span([variable, body, chain], nil)&.last || line, clauses)
        end

        # The body of a method, a block, a class or `begin`.
        def on_bodystmt(body, rescues, *others)
          cover(body, rescues.names) if body && rescues
          span([body, rescues, *others], UNKNOWN)
        end

        # `body rescue value`
        def on_rescue_mod(body, value)
          cover(body, [Clause.new(value ? value.first : body.last, BARE)]) if body
          span([body, value], UNKNOWN)
        end

        private

        def cover(body, clauses)
          @regions << Region.new(body.first, body.last, clauses)
        end
      end
    end
  end
end
