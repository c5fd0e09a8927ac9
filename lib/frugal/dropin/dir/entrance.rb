# frozen_string_literal: true

module Frugal
  module Dropin
    # See ../dir.rb. `frugal run` loads only this file when a program starts. It decides which patterns a walk may
    # answer.
    module Dir
      # The methods that are replaced, and the names under which Ruby's own are kept.
      STOCK = { glob: :frugal_stock_glob, "[]": :frugal_stock_at }.freeze
      private_constant :STOCK

      @placed = false # whether the methods are replaced
      @walks = nil    # whether the walk is enabled; nil until the first pattern with "**/"

      class << self
        # The Proc to call at the first pattern with "**/"; it returns whether the walk is enabled.
        attr_writer :first_deep

        # Replaces both methods; a second call does nothing.
        #
        # @yieldparam name [Symbol]
        # @yieldreturn [Proc] defines the method in a Module: see methods.rb
        def replace
          return if @placed

          STOCK.each do |name, stock|
            ::Dir.singleton_class.class_eval do
              alias_method stock, name
              private stock
            end
            yield(name).call(::Dir.singleton_class)
          end
          @placed = true
        end

        # @return [Symbol, nil] the first method that is not Ruby's own
        def changed = (STOCK.keys.find { |name| !builtin?(name) } unless @placed)

        # Answers a pattern without reading it in Ruby. When the walk is enabled, the engine's method replaces this one.
        #
        # *Cost*: no system call and no object for a pattern without "**/".
        #
        # @return [Array<String>, Boolean] false if Ruby has to answer; true if {parts} decides
        def at_once(pattern, _flags, _base, _sort)
          return ::Array === pattern unless ::String === pattern

          pattern.instance_of?(::String) && pattern.ascii_only? && pattern.include?("**/")
        end

        # *Cost*: no system call and no object for a pattern without "**/".
        #
        # @return [Array<Array<String>, String>, nil] paths, and patterns that Ruby has to answer;
        #   nil if Ruby has to answer all
        def parts(pattern, flags, base, sort)
          # Leaves one level to Ruby, which is as fast there. Checks here, because a method call costs more than the
          # check.
          if ::String === pattern
            return unless pattern.instance_of?(::String) && pattern.ascii_only? && pattern.include?("**/")
          else
            return unless any_deep?(pattern)
          end
          if @walks.nil?
            return unless load?

            found = at_once(pattern, flags, base, sort) # now the engine's
            return found && [found] unless true == found
          end
          walked(pattern, flags, base, sort) if @walks
        end

        # @param patterns [Array] Ruby raises for an Array among several patterns
        # @return (see #parts)
        def parts_of(patterns, base, sort)
          return if patterns.size == 1 && !(::String === patterns.first)

          parts(patterns, 0, base, sort)
        end

        # @return [Boolean] whether our own code failed, so that Ruby has to answer
        def failed?(error) = defined?(Frugal::Dropin::OwnFailure) && OwnFailure === error

        private

        # Whether a method is Ruby's own: built in, and written in Ruby since 2.7, or in Java under JRuby. Guard is not
        # loaded yet when a program starts.
        def builtin?(name)
          method = ::Dir.method(name)
          file, = method.source_location
          method.owner.equal?(::Dir.singleton_class) && file == (::RUBY_ENGINE == "jruby" ? nil : "<internal:dir>")
        end

        def load? = main? && @first_deep ? @first_deep.call : false # other Ractors cannot read the Proc

        def main? = ::RUBY_ENGINE == "jruby" || ::Ractor.current.equal?(::Ractor.main)

        # A nested Array is left to Ruby, which raises for it.
        def any_deep?(patterns)
          ::Array === patterns && patterns.instance_of?(::Array) && patterns.any? do |one|
            ::String === one && one.instance_of?(::String) && one.ascii_only? && one.include?("**/")
          end
        end
      end
    end
  end
end
