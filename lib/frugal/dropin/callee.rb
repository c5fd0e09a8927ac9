# frozen_string_literal: true

require_relative "../constants"

module Frugal
  module Dropin
    # Has the error of a wrong call of a replaced method name upstream's definition.
    #
    # Since Ruby 4.0, error_highlight prints the caller's and the callee's line below
    # the message of an ArgumentError. The callee is ours, but the program calls upstream:
    #
    #   wrong number of arguments (given 1, expected 0) (ArgumentError)
    #
    #       caller: Rakefile:3
    #       | file("a").needed?(1)
    #                  ^^^^^^^^
    #       callee: …/rake-13.4.2/lib/rake/file_task.rb:16
    #       |     def needed?
    #                 ^^^^^^^
    #
    # *Cost*: none until the text of such an error is asked for.
    module Callee
      START = "\n    callee: "
      private_constant :START

      @stock = {} # the file and the line of a method of ours => [upstream's, what it may be called on]

      # In place of error_highlight's own, which goes on as +frugal_generate_snippet+.
      module Patch
        private

        def generate_snippet = ::Frugal::Dropin::Callee.upstreams(self, frugal_generate_snippet)
      end

      class << self
        # @param ours [UnboundMethod]
        # @param target [Module] in which it takes upstream's place
        # @param name [Symbol] that upstream's has now
        # @return [void]
        def replaced(ours, target, name)
          place = ours.source_location
          @stock[place] ||= [target, name] if place
        end

        # Nothing happens where error_highlight is off, or does not print callees.
        #
        # @return [void]
        def put_in_place
          core = Constants.loaded("ErrorHighlight::CoreExt") if RUBY_VERSION.to_f >= 4.0
          return if core.nil? || core.private_method_defined?(:frugal_generate_snippet)
          return unless core.private_method_defined?(:generate_snippet)

          core.module_eval do
            alias_method :frugal_generate_snippet, :generate_snippet
            define_method :generate_snippet, Patch.instance_method(:generate_snippet)
            private :frugal_generate_snippet, :generate_snippet
          end
        rescue ::FrozenError
          nil
        end

        # @param error [Exception]
        # @param text [String] that error_highlight prints below the message
        # @return [String] the same, with upstream's method as the callee
        def upstreams(error, text)
          return text unless ::ArgumentError === error && (start = text.rindex(START))

          place = error.backtrace_locations.first
          target, name = @stock[[place.path, place.lineno]]
          callee = refused(target, name) if target
          callee ? text[0...start] + callee : text
        rescue ::StandardError # as in a Ractor, which may not read what was noted
          text
        end

        private

        # error_highlight's own words for it, from a call that Ruby refuses before the method begins.
        def refused(target, name)
          method = target.instance_method(name)
          arguments, keywords = wrong_arguments(method)
          method.bind_call(receiver(target), *arguments, **keywords) if arguments
        rescue ::ArgumentError => error
          text = error.__send__(:frugal_generate_snippet)
          start = text.rindex(START)
          text[start..] if start
        end

        # @return [Array(Array, Hash), nil] nil where all arguments are right
        def wrong_arguments(method)
          kinds = method.parameters.map(&:first)
          if kinds.include?(:req) then [[], {}]
          elsif !kinds.include?(:rest) then [Array.new(kinds.count(:opt) + 1), {}]
          elsif kinds.include?(:key) && !kinds.include?(:keyrest) then [[], { frugal_is_no_keyword: nil }]
          end
        end

        def receiver(target)
          return target.attached_object if target.singleton_class?

          target.instance_of?(::Class) ? target.allocate : ::Object.new
        end
      end
    end
  end
end
