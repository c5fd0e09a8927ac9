# frozen_string_literal: true

require_relative "../constants"

module Frugal
  module Dropin
    # Makes the error message of a call with wrong arguments show upstream's method.
    #
    # Since Ruby 4.0, error_highlight prints the caller's and the callee's line below the
    # message of an ArgumentError. In a replaced method the callee is frugal's code, but the
    # message must show the method of upstream that the program called:
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
    # *Cost*: none until the message of such an error is read.
    module Callee
      START = "\n    callee: "
      private_constant :START

      @stock = {} # [file, line] of a method of ours => [module, name] of upstream's method

      # Replaces error_highlight's method, which remains as `frugal_generate_snippet`.
      module Patch
        private

        def generate_snippet = Dropin::Callee.with_upstream(self, frugal_generate_snippet)
      end

      class << self
        # Notes that one of our methods has replaced one of upstream's.
        #
        # @param ours [UnboundMethod]
        # @param target [Module] the module in which it was replaced
        # @param name [Symbol] the new name of upstream's method
        # @return [void]
        def register(ours, target, name)
          place = ours.source_location
          @stock[place] ||= [target, name] if place
        end

        # Patches error_highlight. Does nothing if it is off or does not print callees.
        #
        # @return [void]
        def patch_error_highlight
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
        # @param text [String] the text of error_highlight below the message
        # @return [String] the same text, with upstream's method as the callee
        def with_upstream(error, text)
          return text unless ::ArgumentError === error && (start = text.rindex(START))

          place = error.backtrace_locations.first
          target, name = @stock[[place.path, place.lineno]]
          callee = upstream_callee(target, name) if target
          callee ? text[0...start] + callee : text
        rescue ::StandardError # for example in a Ractor, which may not read @stock
          text
        end

        private

        # The text of error_highlight for upstream's method: calls it with wrong arguments,
        # so that Ruby raises before the method begins.
        def upstream_callee(target, name)
          method = target.instance_method(name)
          arguments, keywords = wrong_arguments(method)
          method.bind_call(receiver(target), *arguments, **keywords) if arguments
        rescue ::ArgumentError => e
          text = e.__send__(:frugal_generate_snippet)
          start = text.rindex(START)
          text[start..] if start
        end

        # @return [Array(Array, Hash), nil] nil if the method accepts any arguments
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
