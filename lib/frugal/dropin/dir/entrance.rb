# frozen_string_literal: true

module Frugal
  module Dropin
    # See ../dir.rb. `frugal run` loads only this file when a program starts.
    module Dir
      # The methods that replace Dir.glob and Dir[]. `frugal run` installs them before the
      # program begins, and never again: if the program redefines them or prepends a module,
      # that stays. They call Ruby's own methods until the first pattern that contains "**/";
      # then the walk is loaded.
      #
      # Ruby's own methods are written in Ruby and have the path "<internal:dir>". These have
      # the same path and line numbers, because Ruby 4.0 hides such frames: below an error's
      # message it shows the program's line, not ours.
      module Entrance
        # The parameters have the names of Dir.glob's, so that Method#parameters is the same.
        GLOB = <<~'RUBY'
          def glob(pattern, _flags = 0, flags: _flags, base: nil, sort: true, &block)
            parts = begin
              ::Frugal::Dropin::Dir.parts(pattern, flags, base, sort)
            rescue ::StandardError, ::ScriptError => e
              raise unless ::Frugal::Dropin::Dir.failed?(e)
            end
            return frugal_stock_glob(pattern, flags, base: base, sort: sort, &block) unless parts

            # Not rescued: an error here comes from Ruby, and a second call would repeat its warnings.
            paths = parts.first if parts.size == 1
            paths ||= parts.flat_map do |one|
              ::String === one ? frugal_stock_glob(one, flags, base: base, sort: sort) : one
            end
            return paths unless block

            paths.each(&block)
            nil
          end
        RUBY
        AT = <<~'RUBY'
          def [](*patterns, base: nil, sort: true)
            parts = begin
              ::Frugal::Dropin::Dir.parts_of(patterns, base, sort)
            rescue ::StandardError, ::ScriptError => e
              raise unless ::Frugal::Dropin::Dir.failed?(e)
            end
            return frugal_stock_at(*patterns, base: base, sort: sort) unless parts
            return parts.first if parts.size == 1

            parts.flat_map { |one| ::String === one ? frugal_stock_at(one, base: base, sort: sort) : one }
          end
        RUBY
        private_constant :GLOB, :AT

        # Under JRuby they are written in Java, as JRuby's own: ext/java/frugal/GlobMethod.java.
        def self.place
          return ::JRuby::Util.load_ext("frugal.GlobEntrance") if ::RUBY_ENGINE == "jruby"

          { glob: GLOB, "[]": AT }.each do |name, source|
            _, line = ::Dir.method(name).source_location
            module_eval(source, "<internal:dir>", line || 1)
          end
          ::Dir.singleton_class.class_eval do
            { glob: :frugal_stock_glob, "[]": :frugal_stock_at }.each do |name, stock|
              alias_method stock, name
              private stock
              define_method name, Entrance.instance_method(name)
            end
          end
        end
      end

      NAMES = %i[glob []].freeze
      private_constant :NAMES

      @placed = false # whether the methods above are installed
      @walks = nil    # whether the walk is enabled; nil until the first pattern with "**/"

      class << self
        # Installs the methods; a second call does nothing.
        #
        # @return [void]
        def place
          return if @placed

          Entrance.place
          @placed = true
        end

        # @return [Symbol, nil] the first method that is not Ruby's own
        def changed = (NAMES.find { |name| !builtin?(name) } unless @placed)

        # @return [Boolean] whether the first suitable pattern will load the drop-in
        def waiting? = @placed && @walks.nil?

        # Installs the methods, and loads the drop-in at the first suitable pattern.
        #
        # @param loader [Proc] loads the drop-in
        def wait_for(&loader)
          place
          @loader = loader
        end

        # *Cost*: no system call and no object for a pattern without "**/".
        #
        # @return [Array<Array<String>, String>, nil] paths, and patterns that Ruby has to answer;
        #   nil if Ruby has to answer all
        def parts(pattern, flags, base, sort)
          walked(pattern, flags, base, sort) if walks?(pattern)
        end

        # @param patterns [Array] Ruby raises for an Array among several patterns
        # @return (see #parts)
        def parts_of(patterns, base, sort)
          return if patterns.size == 1 && !patterns.first.instance_of?(::String)

          parts(patterns, 0, base, sort)
        end

        # Called by JRuby's methods.
        #
        # @return (see #parts) also nil if our own code failed
        def answer(pattern, flags, base, sort)
          parts(pattern, flags, base, sort)
        rescue ::StandardError, ::ScriptError => e
          raise unless failed?(e)
        end

        # @return [Boolean] whether our own code failed, so that Ruby has to answer
        def failed?(error) = defined?(OwnFailure) && OwnFailure === error

        private

        # Both methods are built in and written in Ruby since 2.7, under JRuby in Java. Guard is not loaded yet when a
        # program starts.
        def builtin?(name)
          method = ::Dir.method(name)
          file, = method.source_location
          method.owner.equal?(::Dir.singleton_class) && file == (::RUBY_ENGINE == "jruby" ? nil : "<internal:dir>")
        end

        def walks?(pattern)
          return @walks unless @walks.nil?
          # Other Ractors cannot set the instance variables.
          return false unless deep?(pattern) && main?

          load_walk
        end

        def main? = ::RUBY_ENGINE == "jruby" || ::Ractor.current.equal?(::Ractor.main)

        def deep?(pattern)
          if pattern.instance_of?(::String) then pattern.ascii_only? && pattern.include?("**/")
          elsif pattern.instance_of?(::Array) then pattern.any? { |one| one.instance_of?(::String) && deep?(one) }
          else false
          end
        end

        # Ruby answers while the drop-in is being loaded, and always if loading it fails.
        def load_walk
          loader, @loader = @loader, nil
          return false unless loader

          loader.call
          @walks = false if @walks.nil?
          @walks
        rescue ::FrozenError # the program may have frozen all classes
          false
        end
      end
    end
  end
end
