# frozen_string_literal: true

module Frugal
  module Dropin
    # See ../dir.rb; this much of it is there from the start of a program.
    module Dir
      # In place of Dir.glob and Dir[]. Under `frugal run` these stand there before
      # the program begins, and are never replaced again: what a program puts in
      # their place, or in front of them, stays. They are Ruby's own until the first
      # pattern that has "**/"; then the walk is loaded.
      #
      # Ruby's own are written in Ruby, at the path "<internal:dir>". So are these, each
      # at the line of Ruby's: Ruby 4.0 hides such frames, and shows below an error's
      # message the line of the program that called, and no line of ours.
      module Entrance
        # As in Dir.glob, so that `parameters` shows no other names.
        GLOB = <<~'RUBY'
          def glob(pattern, _flags = 0, flags: _flags, base: nil, sort: true, &block)
            parts = begin
              ::Frugal::Dropin::Dir.parts(pattern, flags, base, sort)
            rescue ::StandardError, ::ScriptError => e
              raise unless ::Frugal::Dropin::Dir.failed?(e)
            end
            return frugal_stock_glob(pattern, flags, base: base, sort: sort, &block) unless parts

            # Not rescued: an error here is Ruby's own, and a second call would repeat its warnings.
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

        { glob: GLOB, "[]": AT }.each do |name, source|
          _, line = ::Dir.method(name).source_location
          module_eval(source, "<internal:dir>", line || 1)
        end
      end

      NAMES = %i[glob []].freeze
      private_constant :NAMES

      @placed = false # whether the methods above are in their place
      @walks = nil    # whether a walk answers; nil: the first pattern with "**/" tells

      class << self
        # Puts them there; a second time does nothing.
        #
        # @return [void]
        def place
          return if @placed

          ::Dir.singleton_class.class_eval do
            { glob: :frugal_stock_glob, "[]": :frugal_stock_at }.each do |name, stock|
              alias_method stock, name
              private stock
              define_method name, Entrance.instance_method(name)
            end
          end
          @placed = true
        end

        # @return [Symbol, nil] which of them is not Ruby's own
        def changed = (NAMES.find { |name| !rubys?(name) } unless @placed)

        # @return [Boolean] whether the drop-in is to be loaded by the first pattern that it may answer
        def waiting? = @placed && @walks.nil?

        # @param loader [Proc] reports whether the drop-in is on
        def wait_for(&loader)
          place
          @loader = loader
        end

        # @return [Array<Array<String>, String>, nil] paths, and patterns that Ruby has to answer;
        #   nil where Ruby has to answer all
        # *Cost*: no system call and no object until a pattern has "**/".
        def parts(pattern, flags, base, sort)
          walked(pattern, flags, base, sort) if walks?(pattern)
        end

        # @param patterns [Array] an Array among several is refused by Ruby
        # @return (see #parts)
        def parts_of(patterns, base, sort)
          return if patterns.size == 1 && !patterns.first.instance_of?(::String)

          parts(patterns, 0, base, sort)
        end

        # @return [Boolean] whether something of ours failed, and Ruby has to answer
        def failed?(error) = defined?(OwnFailure) && OwnFailure === error

        private

        # Since Ruby 2.7 these two are written in Ruby, inside the interpreter.
        def rubys?(name)
          method = ::Dir.method(name)
          method.owner.equal?(::Dir.singleton_class) && method.source_location&.first == "<internal:dir>"
        end

        def walks?(pattern)
          return @walks unless @walks.nil?
          return false unless deep?(pattern) && ::Ractor.current.equal?(::Ractor.main) # others may set nothing here

          arrive
        end

        def deep?(pattern)
          if pattern.instance_of?(::String) then pattern.ascii_only? && pattern.include?("**/")
          elsif pattern.instance_of?(::Array) then pattern.any? { |one| one.instance_of?(::String) && deep?(one) }
          else false
          end
        end

        # While it is being loaded, and for good if that fails, Ruby answers.
        def arrive
          loader, @loader = @loader, nil
          return false unless loader

          loader.call
          @walks = false if @walks.nil?
          @walks
        rescue ::FrozenError # a program may freeze every class there is
          false
        end
      end
    end
  end
end
