# frozen_string_literal: true

require_relative "../../platform"
require_relative "entrance"

module Frugal
  module Dropin
    # See ../dir.rb.
    module Dir
      # The methods that replace Dir.glob and Dir[]. `frugal run` installs them only once, before the program
      # begins: if the program redefines them or prepends a module, that change remains. They call Ruby's own
      # methods until the first pattern that contains "**/"; then the walk is loaded.
      #
      # Ruby's own methods are written in Ruby and have the path "<internal:dir>". These have the same path,
      # lines and parameters, and the calls of Ruby's own methods without a block are tail calls. {EntryMethod}
      # explains this, but its file is not loaded yet. bytecode.rb compiles these methods in advance.
      module Entrance
        GLOB = <<~'RUBY'
          def glob(pattern, _flags = 0, flags: _flags, base: nil, sort: true)
            parts = nil
            paths = begin
              found = ::Frugal::Dropin::Dir.at_once(pattern, flags, base, sort)
              if true == found
                parts = ::Frugal::Dropin::Dir.parts(pattern, flags, base, sort)
                parts.first if parts && parts.size == 1
              else
                found
              end
            rescue ::StandardError, ::ScriptError => e
              raise unless ::Frugal::Dropin::Dir.failed?(e)
            end
            return paths if paths && !defined?(yield)
            return frugal_stock_glob(pattern, flags, base: base, sort: sort) unless parts || defined?(yield)
            unless paths || parts || !defined?(::Frugal::Native::C.block_of)
              return frugal_stock_glob(pattern, flags, base: base, sort: sort, &::Frugal::Native::C.block_of {})
            end
            # Not rescued: an error here comes from Ruby, and a second call would repeat its warnings.
            paths ||= frugal_stock_glob(pattern, flags, base: base, sort: sort) unless parts
            paths ||= parts.flat_map do |one|
              ::String === one ? frugal_stock_glob(one, flags, base: base, sort: sort) : one
            end
            return paths unless defined?(yield)
            index = -1
            yield paths[index] while (index += 1) < paths.size
            nil
          end
        RUBY
        AT = <<~'RUBY'
          def [](*args, base: nil, sort: true)
            parts = nil
            paths = begin
              found = ::Frugal::Dropin::Dir.at_once(args.size == 1 ? args.first : args, 0, base, sort)
              if true == found
                parts = ::Frugal::Dropin::Dir.parts_of(args, base, sort)
                parts.first if parts && parts.size == 1
              else
                found
              end
            rescue ::StandardError, ::ScriptError => e
              raise unless ::Frugal::Dropin::Dir.failed?(e)
            end
            return paths if paths
            return frugal_stock_at(*args, base: base, sort: sort) unless parts
            parts.flat_map { |one| ::String === one ? frugal_stock_at(one, base: base, sort: sort) : one }
          end
        RUBY
        CODE = { glob: GLOB, "[]": AT }.freeze
        private_constant :GLOB, :AT, :CODE

        class << self
          # @param name [Symbol]
          # @param line [Integer] of Ruby's own `def`; the code follows in the next line
          # @return [RubyVM::InstructionSequence] returns a Proc that defines the method in a Module
          def compile(name, line)
            first, *others = CODE.fetch(name).gsub(/^ *#.*\n/, "").lines(chomp: true)
            text = "->(dir) { dir.class_eval { #{first}\n#{others.join(";")} } }"
            ::RubyVM::InstructionSequence.compile(text, "<internal:dir>", nil, line, tailcall_optimization: true)
          end
        end
      end

      class << self
        # Replaces the methods. Under JRuby they are written in Java, as JRuby's own are:
        # ext/java/frugal/GlobMethod.java.
        #
        # @return [void]
        def place
          return if @placed
          return @placed = ::JRuby::Util.load_ext("frugal.GlobEntrance") || true if Platform::JRUBY

          replace { |name| Entrance.compile(name, ::Dir.method(name).source_location.last || 1).eval }
        end

        # @return [Boolean] whether the first suitable pattern will load the drop-in
        def waiting? = @placed && @walks.nil?

        # Installs the methods, and loads the drop-in at the first suitable pattern.
        #
        # @param loader [Proc] loads the drop-in
        def wait_for(&loader)
          place
          @loader = loader
          @first_deep = method(:load_walk)
        end

        # Called by the methods in Java.
        #
        # @return (see #parts) also nil if our own code failed
        def answer(pattern, flags, base, sort)
          parts(pattern, flags, base, sort)
        rescue ::StandardError, ::ScriptError => e
          raise unless failed?(e)
        end

        # Ruby answers while the drop-in is being loaded, and always if loading it fails.
        #
        # @return [Boolean] whether the walk is enabled
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
